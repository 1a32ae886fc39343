// The attributes of MJCF that have a place in the Spec: one row each says how it is written (notation: schema_table.hpp) and the member
// it fills. schema_table.hpp takes each table as the attributes of an element; read_attributes() moves what is written.
//
// A new attribute is a member of the Spec, a row here, and what the compiler makes of it.
#pragma once

#include "mjx/io/mjcf/attributes.hpp"
#include "mjx/model/spec.hpp"

#include <algorithm>
#include <iterator>

namespace mjx::inner::mjcf {

inline void get_sleep_policy(const Element& e, std::string_view name, SpecBody& b) {
    constexpr int policies[] = {sleep_policy::automatic, sleep_policy::never, sleep_policy::allowed, sleep_policy::init};
    if (int place = 0; get(e, name, place)) b.sleep = policies[place];
}

inline std::string sleep_policy_text(const AttributeRule& rule, const SpecBody& b) {
    constexpr int policies[] = {sleep_policy::automatic, sleep_policy::never, sleep_policy::allowed, sleep_policy::init};
    const int place = static_cast<int>(std::find(std::begin(policies), std::end(policies), b.sleep) - policies);
    return std::string(rule.word(place));
}

// One number is the length without slack.
inline void get_springlength(const Element& e, std::string_view name, SpecTendon& t) {
    if (get(e, name, t.springlength) && split_words(e.text(name)).size() == 1) t.springlength[1] = t.springlength[0];
}

inline std::string springlength_text(const AttributeRule& rule, const SpecTendon& t) { return value_text(rule, t.springlength); }

inline constexpr Attribute<SpecJoint> joint_attributes[] = {
    {"name class"},
    {"type=@joint", to<&SpecJoint::type>},
    {"group:i", to<&SpecJoint::group>},
    {"pos:3", to<&SpecJoint::pos>},
    {"axis:3", to<&SpecJoint::axis>},
    {"springdamper:2", to<&SpecJoint::springdamper>},
    {"limited=false|true|auto", to<&SpecJoint::limited>},
    {"actuatorfrclimited=false|true|auto", to<&SpecJoint::actfrclimited>},
    {"solreflimit:1-2", to<&SpecJoint::solref_limit>},
    {"solimplimit:1-5", to<&SpecJoint::solimp_limit>},
    {"solreffriction:1-2", to<&SpecJoint::solref_friction>},
    {"solimpfriction:1-5", to<&SpecJoint::solimp_friction>},
    {"stiffness:1-3", to<&SpecJoint::stiffness>},
    {"range:2", to<&SpecJoint::range>},
    {"actuatorfrcrange:2", to<&SpecJoint::actfrcrange>},
    {"actuatorgravcomp=false|true", to<&SpecJoint::actgravcomp>},
    {"margin:d", to<&SpecJoint::margin>},
    {"ref:d", to<&SpecJoint::ref>},
    {"springref:d", to<&SpecJoint::springref>},
    {"armature:d", to<&SpecJoint::armature>},
    {"damping:1-3", to<&SpecJoint::damping>},
    {"frictionloss:d", to<&SpecJoint::frictionloss>},
    {"user:*", to<&SpecJoint::user>},
};

inline constexpr Attribute<SpecGeom> geom_attributes[] = {
    {"name class"},
    {"type=@shape", to<&SpecGeom::type>},
    {"contype:i", to<&SpecGeom::contype>},
    {"conaffinity:i", to<&SpecGeom::conaffinity>},
    {"condim:i", to<&SpecGeom::condim>},
    {"group:i", to<&SpecGeom::group>},
    {"priority:i", to<&SpecGeom::priority>},
    {"size:1-3", to<&SpecGeom::size>},
    {"material", to<&SpecGeom::material>},
    {"friction:1-3", to<&SpecGeom::friction>},
    {"mass:d", to<&SpecGeom::mass>},
    {"density:d", to<&SpecGeom::density>},
    {"shellinertia=false|true", to<&SpecGeom::shellinertia>},
    {"solmix:d", to<&SpecGeom::solmix>},
    {"solref:1-2", to<&SpecGeom::solref>},
    {"solimp:1-5", to<&SpecGeom::solimp>},
    {"margin:d", to<&SpecGeom::margin>},
    {"gap:d", to<&SpecGeom::gap>},
    {"surfacevel:1-6", to<&SpecGeom::surfacevel>},
    {"adhesion:d", to<&SpecGeom::adhesion>},
    {"fromto:6", to<&SpecGeom::fromto>},
    {"pos:3", to<&SpecGeom::pos>},
    {"$orientation"},
    {"hfield", to<&SpecGeom::hfield>},
    {"mesh", to<&SpecGeom::mesh>},
    {"fitscale:d", to<&SpecGeom::fitscale>},
    {"rgba:4", to<&SpecGeom::rgba>},
    {"fluidshape=none|ellipsoid", to<&SpecGeom::fluid_ellipsoid>},
    {"fluidcoef:1-5", to<&SpecGeom::fluid_coefs>},
    {"user:*", to<&SpecGeom::user>},
};

inline constexpr Attribute<SpecSite> site_attributes[] = {
    {"name class"},
    {"type=@shape", to<&SpecSite::type>},
    {"group:i", to<&SpecSite::group>},
    {"pos:3", to<&SpecSite::pos>},
    {"$orientation"},
    {"material", to<&SpecSite::material>},
    {"size:1-3", to<&SpecSite::size>},
    {"fromto:6", to<&SpecSite::fromto>},
    {"mesh", to<&SpecSite::mesh>},
    {"rgba:4", to<&SpecSite::rgba>},
    {"user:*", to<&SpecSite::user>},
};

inline constexpr Attribute<SpecCamera> camera_attributes[] = {
    {"name class"},
    {"projection=perspective|orthographic", to<&SpecCamera::orthographic>},
    {"fovy:d", to<&SpecCamera::fovy>},
    {"ipd:d"},
    {"resolution:i2", to<&SpecCamera::resolution>},
    {"output=&rgb|depth|distance|normal|segmentation"},
    {"pos:3", to<&SpecCamera::pos>},
    {"$orientation"},
    {"mode=fixed|track|trackcom|targetbody|targetbodycom", to<&SpecCamera::mode>},
    {"target~", to<&SpecCamera::target>},
    {"focal:2", to<&SpecCamera::focal_length>},
    {"focalpixel:2", to<&SpecCamera::focal_pixel>},
    {"principal:2", to<&SpecCamera::principal_length>},
    {"principalpixel:2", to<&SpecCamera::principal_pixel>},
    {"sensorsize:2", to<&SpecCamera::sensorsize>},
    {"user:*"},
};

inline constexpr Attribute<SpecLight> light_attributes[] = {
    {"name class directional=false|true"},
    {"type=spot|directional|point|image", to<&SpecLight::look, &LightLook::type>},
    {"castshadow=false|true", to<&SpecLight::look, &LightLook::castshadow>},
    {"active=false|true", to<&SpecLight::look, &LightLook::active>},
    {"pos:3", to<&SpecLight::pos>},
    {"dir:3", to<&SpecLight::dir>},
    {"bulbradius:d intensity:d range:d attenuation:3 softness:d exponent:d"},
    {"cutoff:d", to<&SpecLight::look, &LightLook::cutoff>},
    {"ambient:3", to<&SpecLight::look, &LightLook::ambient>},
    {"diffuse:3", to<&SpecLight::look, &LightLook::diffuse>},
    {"specular:3", to<&SpecLight::look, &LightLook::specular>},
    {"mode=fixed|track|trackcom|targetbody|targetbodycom", to<&SpecLight::mode>},
    {"target~", to<&SpecLight::target>},
    {"texture~"},
};

inline constexpr Attribute<SpecInertial> inertial_attributes[] = {
    {"pos:3!", to<&SpecInertial::pos>},
    {"mass:d!", to<&SpecInertial::mass>},
    {"diaginertia:3", to<&SpecInertial::diaginertia>},
    {"fullinertia:6", to<&SpecInertial::fullinertia>},
    {"$orientation"},
};

inline constexpr Attribute<SpecBody> body_attributes[] = {
    {"name childclass pos:3 $orientation"},
    {"mocap=false|true", to<&SpecBody::mocap>},
    {"gravcomp:d", to<&SpecBody::gravcomp>},
    {"sleep=auto|never|allowed|init", {nullptr, nullptr, get_sleep_policy, sleep_policy_text}},
    {"simple=false|auto", to<&SpecBody::simple>},
    {"user:*", to<&SpecBody::user>},
};

inline constexpr Attribute<SpecPair> pair_attributes[] = {
    {"name class"},
    {"geom1~", to<&SpecPair::geom1>},
    {"geom2~", to<&SpecPair::geom2>},
    {"condim:i", to<&SpecPair::condim>},
    {"friction:1-5", to<&SpecPair::friction>},
    {"solref:1-2", to<&SpecPair::solref>},
    {"solreffriction:1-2", to<&SpecPair::solreffriction>},
    {"solimp:1-5", to<&SpecPair::solimp>},
    {"gap:d", to<&SpecPair::gap>},
    {"margin:d", to<&SpecPair::margin>},
    {"adhesion:d", to<&SpecPair::adhesion>},
};

inline constexpr Attribute<SpecEquality> equality_attributes[] = {
    {"name class"},
    {"active=false|true", to<&SpecEquality::active>},
    {"solref:1-2", to<&SpecEquality::solref>},
    {"solimp:1-5", to<&SpecEquality::solimp>},
};

inline constexpr Attribute<SpecTendon> tendon_attributes[] = {
    {"name class"},
    {"group:i", to<&SpecTendon::group>},
    {"limited=false|true|auto", to<&SpecTendon::limited>},
    {"actuatorfrclimited=false|true|auto~", to<&SpecTendon::actfrclimited>},
    {"range:2", to<&SpecTendon::range>},
    {"actuatorfrcrange:2~", to<&SpecTendon::actfrcrange>},
    {"solreflimit:1-2", to<&SpecTendon::solref_limit>},
    {"solimplimit:1-5", to<&SpecTendon::solimp_limit>},
    {"solreffriction:1-2", to<&SpecTendon::solref_friction>},
    {"solimpfriction:1-5", to<&SpecTendon::solimp_friction>},
    {"frictionloss:d", to<&SpecTendon::frictionloss>},
    {"springlength:1-2", {nullptr, nullptr, get_springlength, springlength_text}},
    {"margin:d", to<&SpecTendon::margin>},
    {"stiffness:1-3", to<&SpecTendon::stiffness>},
    {"damping:1-3", to<&SpecTendon::damping>},
    {"armature:d~", to<&SpecTendon::armature>},
    {"user:*", to<&SpecTendon::user>},
};

inline constexpr Attribute<SpecTendon> spatial_attributes[] = {
    {"width:d", to<&SpecTendon::width>},
    {"material", to<&SpecTendon::material>},
    {"rgba:4", to<&SpecTendon::rgba>},
};

inline constexpr Attribute<SpecActuator> actuator_attributes[] = {
    {"name class"},
    {"group:i", to<&SpecActuator::group>},
    {"nsample:i", to<&SpecActuator::nsample>},
    {"interp=zoh|linear|cubic", to<&SpecActuator::interp>},
    {"delay:d", to<&SpecActuator::delay>},
    {"ctrlrange:2", to<&SpecActuator::ctrlrange>},
    {"user:*", to<&SpecActuator::user>},
};

inline constexpr Attribute<SpecActuator> ctrllimited_attributes[] = {
    {"ctrllimited=false|true|auto", to<&SpecActuator::ctrllimited>},
};

inline constexpr Attribute<SpecActuator> forcelimited_attributes[] = {
    {"forcelimited=false|true|auto", to<&SpecActuator::forcelimited>},
    {"forcerange:2", to<&SpecActuator::forcerange>},
};

inline constexpr Attribute<SpecActuator> actlimited_attributes[] = {
    {"actlimited=false|true|auto", to<&SpecActuator::actlimited>},
    {"actrange:2", to<&SpecActuator::actrange>},
};

inline constexpr Attribute<SpecActuator> mechanics_attributes[] = {
    {"lengthrange:2~", to<&SpecActuator::lengthrange>}, {"gear:1-6", to<&SpecActuator::gear>},
    {"damping:1-3", to<&SpecActuator::damping>},        {"armature:d", to<&SpecActuator::armature>},
    {"cranklength:d", to<&SpecActuator::cranklength>},
};

inline constexpr Attribute<SpecActuator> general_attributes[] = {
    {"$actuator $ctrllimited $forcelimited $actlimited $mechanics $transmission body~"},
    {"actdim:i", to<&SpecActuator::actdim>},
    {"input"},
    {"velrange:2", to<&SpecActuator::velrange>},
    {"ffrange:2", to<&SpecActuator::ffrange>},
    {"dyntype=@dyn", to<&SpecActuator::dyntype>},
    {"gaintype=@gain", to<&SpecActuator::gaintype>},
    {"biastype=@bias", to<&SpecActuator::biastype>},
    {"dynprm:1-10", to<&SpecActuator::dynprm>},
    {"gainprm:1-10", to<&SpecActuator::gainprm>},
    {"biasprm:1-10", to<&SpecActuator::biasprm>},
    {"actearly=false|true", to<&SpecActuator::actearly>},
};

inline constexpr Attribute<SpecSensor> sensor_attributes[] = {
    {"name"},
    {"nsample:i", to<&SpecSensor::nsample>},
    {"interp=zoh|linear|cubic", to<&SpecSensor::interp>},
    {"delay:d", to<&SpecSensor::delay>},
    {"interval:1-2", to<&SpecSensor::interval>},
    {"cutoff:d", to<&SpecSensor::cutoff>},
    {"noise:d", to<&SpecSensor::noise>},
    {"user:*", to<&SpecSensor::user>},
};

inline constexpr Attribute<SpecSensor> user_sensor_attributes[] = {
    {"name objtype objname"},
    {"datatype=real|positive|axis|quaternion", to<&SpecSensor::datatype>},
    {"needstage=none|pos|vel|acc", to<&SpecSensor::needstage>},
    {"dim:i!", to<&SpecSensor::dim>},
    {"cutoff:d", to<&SpecSensor::cutoff>},
    {"noise:d", to<&SpecSensor::noise>},
    {"user:*", to<&SpecSensor::user>},
};

inline constexpr Attribute<Option<double>> option_attributes[] = {
    {"timestep:d", to<&Option<double>::timestep>},
    {"impratio:d", to<&Option<double>::impratio>},
    {"tolerance:d", to<&Option<double>::tolerance>},
    {"ls_tolerance:d", to<&Option<double>::ls_tolerance>},
    {"noslip_tolerance:d", to<&Option<double>::noslip_tolerance>},
    {"ccd_tolerance:d", to<&Option<double>::ccd_tolerance>},
    {"sleep_tolerance:d", to<&Option<double>::sleep_tolerance>},
    {"gravity:3", to<&Option<double>::gravity>},
    {"wind:3", to<&Option<double>::wind>},
    {"magnetic:3", to<&Option<double>::magnetic>},
    {"density:d", to<&Option<double>::density>},
    {"viscosity:d", to<&Option<double>::viscosity>},
    {"o_margin:d", to<&Option<double>::o_margin>},
    {"o_solref:1-2", to<&Option<double>::o_solref>},
    {"o_solimp:1-5", to<&Option<double>::o_solimp>},
    {"o_friction:1-5", to<&Option<double>::o_friction>},
    {"integrator=@integrator", to<&Option<double>::integrator>},
    {"cone=@cone", to<&Option<double>::cone>},
    {"jacobian=dense|sparse|auto", to<&Option<double>::jacobian>},
    {"solver=@solver", to<&Option<double>::solver>},
    {"iterations:i", to<&Option<double>::iterations>},
    {"ls_iterations:i", to<&Option<double>::ls_iterations>},
    {"noslip_iterations:i", to<&Option<double>::noslip_iterations>},
    {"ccd_iterations:i", to<&Option<double>::ccd_iterations>},
    {"sdf_iterations:i", to<&Option<double>::sdf_iterations>},
    {"sdf_initpoints:i", to<&Option<double>::sdf_initpoints>},
    {"actuatorgroupdisable:i*"},
};

inline constexpr Attribute<SpecCompiler> compiler_attributes[] = {
    {"autolimits=false|true", to<&SpecCompiler::autolimits>},
    {"boundmass:d", to<&SpecCompiler::boundmass>},
    {"boundinertia:d", to<&SpecCompiler::boundinertia>},
    {"settotalmass:d", to<&SpecCompiler::settotalmass>},
    {"balanceinertia=false|true", to<&SpecCompiler::balanceinertia>},
    {"strippath=false|true coordinate=local|global angle=radian|degree"},
    {"fitaabb=false|true", to<&SpecCompiler::fitaabb>},
    {"eulerseq meshdir texturedir assetdir"},
    {"discardvisual=false|true", to<&SpecCompiler::discardvisual>},
    {"usethread=false|true"},
    {"fusestatic=false|true", to<&SpecCompiler::fusestatic>},
    {"inertiafromgeom=false|true|auto", to<&SpecCompiler::inertiafromgeom>},
    {"inertiagrouprange:i2", to<&SpecCompiler::inertiagrouprange>},
    {"saveinertial=false|true"},
    {"alignfree=false|true", to<&SpecCompiler::alignfree>},
    {"conflict=warning|merge|error exactmeshinertia=false|true"},
};

inline constexpr Attribute<SpecCompiler> lengthrange_attributes[] = {
    {"mode=none|muscle|muscleuser|all", to<&SpecCompiler::lr_mode>},
    {"useexisting=false|true", to<&SpecCompiler::lr_useexisting>},
    {"uselimit=false|true", to<&SpecCompiler::lr_uselimit>},
    {"accel:d", to<&SpecCompiler::lr_accel>},
    {"maxforce:d", to<&SpecCompiler::lr_maxforce>},
    {"timeconst:d", to<&SpecCompiler::lr_timeconst>},
    {"timestep:d", to<&SpecCompiler::lr_timestep>},
    {"inttotal:d", to<&SpecCompiler::lr_inttotal>},
    {"interval:d", to<&SpecCompiler::lr_interval>},
    {"tolrange:d", to<&SpecCompiler::lr_tolrange>},
};

inline constexpr Attribute<SpecStatistic> statistic_attributes[] = {
    {"meaninertia:d", to<&SpecStatistic::meaninertia>}, {"meanmass:d", to<&SpecStatistic::meanmass>},
    {"meansize:d", to<&SpecStatistic::meansize>},       {"extent:d", to<&SpecStatistic::extent>},
    {"center:3", to<&SpecStatistic::center>},
};

inline constexpr Attribute<SpecMesh> mesh_attributes[] = {
    {"name class"},
    {"content_type~", to<&SpecMesh::content_type>},
    {"file~"},
    {"vertex:*~", to<&SpecMesh::vert>},
    {"normal:*~ texcoord:*~"},
    {"face:i*~", to<&SpecMesh::face>},
    {"refpos:3~", to<&SpecMesh::refpos>},
    {"refquat:4~", to<&SpecMesh::refquat>},
    {"scale:3", to<&SpecMesh::scale>},
    {"smoothnormal=false|true~ maxhullvert:i"},
    {"inertia=convex|exact|legacy|shell", to<&SpecMesh::inertia>},
    {"builtin=none|sphere|hemisphere|cone|supersphere|supertorus|wedge|plate~"},
    {"params:*~", to<&SpecMesh::params>},
    {"material~"},
};

inline constexpr Attribute<SpecTexture> texture_attributes[] = {
    {"name"},
    {"type=2d|cube|skybox", to<&SpecTexture::look, &TextureLook::type>},
    {"colorspace=auto|linear|sRGB content_type file gridsize:i2 gridlayout fileright fileleft fileup filedown filefront fileback"},
    {"builtin=none|gradient|checker|flat", to<&SpecTexture::look, &TextureLook::builtin>},
    {"rgb1:3", to<&SpecTexture::look, &TextureLook::rgb1>},
    {"rgb2:3", to<&SpecTexture::look, &TextureLook::rgb2>},
    {"mark=none|edge|cross|random", to<&SpecTexture::look, &TextureLook::mark>},
    {"markrgb:3", to<&SpecTexture::look, &TextureLook::markrgb>},
    {"random:d width:i height:i hflip=false|true vflip=false|true nchannel:i"},
};

inline constexpr Attribute<SpecMaterial> material_attributes[] = {
    {"name class"},
    {"texture", to<&SpecMaterial::texture>},
    {"texrepeat:2", to<&SpecMaterial::look, &MaterialLook::texrepeat>},
    {"texuniform=false|true", to<&SpecMaterial::look, &MaterialLook::texuniform>},
    {"emission:d", to<&SpecMaterial::look, &MaterialLook::emission>},
    {"specular:d", to<&SpecMaterial::look, &MaterialLook::specular>},
    {"shininess:d", to<&SpecMaterial::look, &MaterialLook::shininess>},
    {"reflectance:d", to<&SpecMaterial::look, &MaterialLook::reflectance>},
    {"metallic:d", to<&SpecMaterial::look, &MaterialLook::metallic>},
    {"roughness:d", to<&SpecMaterial::look, &MaterialLook::roughness>},
    {"rgba:4", to<&SpecMaterial::look, &MaterialLook::rgba>},
};

inline constexpr Attribute<ViewLook> headlight_attributes[] = {
    {"ambient:3", to<&ViewLook::headlight_ambient>},
    {"diffuse:3", to<&ViewLook::headlight_diffuse>},
    {"specular:3", to<&ViewLook::headlight_specular>},
    {"active:i"},
};

inline constexpr Attribute<ViewLook> global_attributes[] = {
    {"cameraid:i orthographic=false|true"},
    {"fovy:d", to<&ViewLook::fovy>},
    {"ipd:d"},
    {"azimuth:d", to<&ViewLook::azimuth>},
    {"elevation:d", to<&ViewLook::elevation>},
    {"linewidth:d glow:d offwidth:i offheight:i realtime:d ellipsoidinertia=false|true bvactive=false|true"},
};

inline constexpr Attribute<Spec> size_attributes[] = {
    {"memory"},
    {"njmax:i", to<&Spec::njmax>},
    {"nconmax:i", to<&Spec::nconmax>},
    {"nstack:i"},
    {"nuserdata:i", to<&Spec::nuserdata>},
    {"nkey:i", to<&Spec::nkey>},
    {"nuser_body:i nuser_jnt:i nuser_geom:i nuser_site:i nuser_cam:i nuser_tendon:i nuser_actuator:i nuser_sensor:i"},
};

inline constexpr Attribute<SpecKey> key_attributes[] = {
    {"name"},
    {"time:d", to<&SpecKey::time>},
    {"qpos:*", to<&SpecKey::qpos>},
    {"qvel:*", to<&SpecKey::qvel>},
    {"act:*", to<&SpecKey::act>},
    {"mpos:*", to<&SpecKey::mpos>},
    {"mquat:*", to<&SpecKey::mquat>},
    {"ctrl:*", to<&SpecKey::ctrl>},
};

}  // namespace mjx::inner::mjcf
