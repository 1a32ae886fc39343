// The attributes of MJCF that have a place in the Spec: one row each says how it is written (notation: schema_table.hpp) and the member
// it fills. schema_table.hpp takes each table as the attributes of an element; read_attributes() moves what is written. Rows without a
// member are moved by the element's own code.
//
// A new attribute is a member of the Spec, a row here, and what the compiler makes of it.
#pragma once

#include "mjx/io/mjcf/attributes.hpp"
#include "mjx/model/spec.hpp"

namespace mjx::inner::mjcf {

// What the words of <body sleep="..."/> stand for.
inline constexpr int sleep_policies[] = {sleep_policy::automatic, sleep_policy::never, sleep_policy::allowed, sleep_policy::init};

[[gnu::cold]] inline void joint_attributes(AttributeRows& row, SpecJoint& x) {
    row("name class");
    row("type=@joint", x.type);
    row("group:i", x.group);
    row("pos:3", x.pos);
    row("axis:3", x.axis);
    row("springdamper:2", x.springdamper);
    row("limited=false|true|auto", x.limited);
    row("actuatorfrclimited=false|true|auto", x.actfrclimited);
    row("solreflimit:1-2", x.solref_limit);
    row("solimplimit:1-5", x.solimp_limit);
    row("solreffriction:1-2", x.solref_friction);
    row("solimpfriction:1-5", x.solimp_friction);
    row("stiffness:1-3", x.stiffness);
    row("range:2", x.range);
    row("actuatorfrcrange:2", x.actfrcrange);
    row("actuatorgravcomp=false|true", x.actgravcomp);
    row("margin:d", x.margin);
    row("ref:d", x.ref);
    row("springref:d", x.springref);
    row("armature:d", x.armature);
    row("damping:1-3", x.damping);
    row("frictionloss:d", x.frictionloss);
    row("user:*", x.user);
}

[[gnu::cold]] inline void geom_attributes(AttributeRows& row, SpecGeom& x) {
    row("name class");
    row("type=@shape", x.type);
    row("contype:i", x.contype);
    row("conaffinity:i", x.conaffinity);
    row("condim:i", x.condim);
    row("group:i", x.group);
    row("priority:i", x.priority);
    row("size:1-3", x.size);
    row("material", x.material);
    row("friction:1-3", x.friction);
    row("mass:d", x.mass);
    row("density:d", x.density);
    row("shellinertia=false|true", x.shellinertia);
    row("solmix:d", x.solmix);
    row("solref:1-2", x.solref);
    row("solimp:1-5", x.solimp);
    row("margin:d", x.margin);
    row("gap:d", x.gap);
    row("surfacevel:1-6", x.surfacevel);
    row("adhesion:d", x.adhesion);
    row("fromto:6", x.fromto);
    row("pos:3", x.pos);
    row("$orientation");
    row("hfield", x.hfield);
    row("mesh", x.mesh);
    row("fitscale:d", x.fitscale);
    row("rgba:4", x.rgba);
    row("fluidshape=none|ellipsoid", x.fluid_ellipsoid);
    row("fluidcoef:1-5", x.fluid_coefs);
    row("user:*", x.user);
}

[[gnu::cold]] inline void site_attributes(AttributeRows& row, SpecSite& x) {
    row("name class");
    row("type=@shape", x.type);
    row("group:i", x.group);
    row("pos:3", x.pos);
    row("$orientation");
    row("material", x.material);
    row("size:1-3", x.size);
    row("fromto:6", x.fromto);
    row("mesh", x.mesh);
    row("rgba:4", x.rgba);
    row("user:*", x.user);
}

[[gnu::cold]] inline void camera_attributes(AttributeRows& row, SpecCamera& x) {
    row("name class");
    row("projection=perspective|orthographic", x.orthographic);
    row("fovy:d", x.fovy);
    row("ipd:d");
    row("resolution:i2", x.resolution);
    row("output=&rgb|depth|distance|normal|segmentation");
    row("pos:3", x.pos);
    row("$orientation");
    row("mode=fixed|track|trackcom|targetbody|targetbodycom", x.mode);
    row("target~", x.target);
    row("focal:2", x.focal_length);
    row("focalpixel:2", x.focal_pixel);
    row("principal:2", x.principal_length);
    row("principalpixel:2", x.principal_pixel);
    row("sensorsize:2", x.sensorsize);
    row("user:*");
}

[[gnu::cold]] inline void light_attributes(AttributeRows& row, SpecLight& x) {
    row("name class directional=false|true");
    row("type=spot|directional|point|image", x.look.type);
    row("castshadow=false|true", x.look.castshadow);
    row("active=false|true", x.look.active);
    row("pos:3", x.pos);
    row("dir:3", x.dir);
    row("bulbradius:d intensity:d range:d attenuation:3 softness:d exponent:d");
    row("cutoff:d", x.look.cutoff);
    row("ambient:3", x.look.ambient);
    row("diffuse:3", x.look.diffuse);
    row("specular:3", x.look.specular);
    row("mode=fixed|track|trackcom|targetbody|targetbodycom", x.mode);
    row("target~", x.target);
    row("texture~");
}

[[gnu::cold]] inline void inertial_attributes(AttributeRows& row, SpecInertial& x) {
    row("pos:3!", x.pos);
    row("mass:d!", x.mass);
    row("diaginertia:3", x.diaginertia);
    row("fullinertia:6", x.fullinertia);
    row("$orientation");
}

[[gnu::cold]] inline void body_attributes(AttributeRows& row, SpecBody& x) {
    row("name childclass pos:3 $orientation");
    row("mocap=false|true", x.mocap);
    row("gravcomp:d", x.gravcomp);
    row("sleep=auto|never|allowed|init");
    row("simple=false|auto", x.simple);
    row("user:*", x.user);
}

[[gnu::cold]] inline void pair_attributes(AttributeRows& row, SpecPair& x) {
    row("name class");
    row("geom1~", x.geom1);
    row("geom2~", x.geom2);
    row("condim:i", x.condim);
    row("friction:1-5", x.friction);
    row("solref:1-2", x.solref);
    row("solreffriction:1-2", x.solreffriction);
    row("solimp:1-5", x.solimp);
    row("gap:d", x.gap);
    row("margin:d", x.margin);
    row("adhesion:d", x.adhesion);
}

[[gnu::cold]] inline void equality_attributes(AttributeRows& row, SpecEquality& x) {
    row("name class");
    row("active=false|true", x.active);
    row("solref:1-2", x.solref);
    row("solimp:1-5", x.solimp);
}

[[gnu::cold]] inline void tendon_attributes(AttributeRows& row, SpecTendon& x) {
    row("name class");
    row("group:i", x.group);
    row("limited=false|true|auto", x.limited);
    row("actuatorfrclimited=false|true|auto~", x.actfrclimited);
    row("range:2", x.range);
    row("actuatorfrcrange:2~", x.actfrcrange);
    row("solreflimit:1-2", x.solref_limit);
    row("solimplimit:1-5", x.solimp_limit);
    row("solreffriction:1-2", x.solref_friction);
    row("solimpfriction:1-5", x.solimp_friction);
    row("frictionloss:d", x.frictionloss);
    row("springlength:1-2", x.springlength);
    row("margin:d", x.margin);
    row("stiffness:1-3", x.stiffness);
    row("damping:1-3", x.damping);
    row("armature:d~", x.armature);
    row("user:*", x.user);
}

[[gnu::cold]] inline void spatial_attributes(AttributeRows& row, SpecTendon& x) {
    row("width:d", x.width);
    row("material", x.material);
    row("rgba:4", x.rgba);
}

[[gnu::cold]] inline void actuator_attributes(AttributeRows& row, SpecActuator& x) {
    row("name class");
    row("group:i", x.group);
    row("nsample:i", x.nsample);
    row("interp=zoh|linear|cubic", x.interp);
    row("delay:d", x.delay);
    row("ctrlrange:2", x.ctrlrange);
    row("user:*", x.user);
}

[[gnu::cold]] inline void ctrllimited_attributes(AttributeRows& row, SpecActuator& x) { row("ctrllimited=false|true|auto", x.ctrllimited); }

[[gnu::cold]] inline void forcelimited_attributes(AttributeRows& row, SpecActuator& x) {
    row("forcelimited=false|true|auto", x.forcelimited);
    row("forcerange:2", x.forcerange);
}

[[gnu::cold]] inline void actlimited_attributes(AttributeRows& row, SpecActuator& x) {
    row("actlimited=false|true|auto", x.actlimited);
    row("actrange:2", x.actrange);
}

[[gnu::cold]] inline void mechanics_attributes(AttributeRows& row, SpecActuator& x) {
    row("lengthrange:2~", x.lengthrange);
    row("gear:1-6", x.gear);
    row("damping:1-3", x.damping);
    row("armature:d", x.armature);
    row("cranklength:d", x.cranklength);
}

[[gnu::cold]] inline void general_attributes(AttributeRows& row, SpecActuator& x) {
    row("$actuator $ctrllimited $forcelimited $actlimited $mechanics $transmission body~");
    row("actdim:i", x.actdim);
    row("input");
    row("velrange:2", x.velrange);
    row("ffrange:2", x.ffrange);
    row("dyntype=@dyn", x.dyntype);
    row("gaintype=@gain", x.gaintype);
    row("biastype=@bias", x.biastype);
    row("dynprm:1-10", x.dynprm);
    row("gainprm:1-10", x.gainprm);
    row("biasprm:1-10", x.biasprm);
    row("actearly=false|true", x.actearly);
}

[[gnu::cold]] inline void sensor_attributes(AttributeRows& row, SpecSensor& x) {
    row("name");
    row("nsample:i", x.nsample);
    row("interp=zoh|linear|cubic", x.interp);
    row("delay:d", x.delay);
    row("interval:1-2", x.interval);
    row("cutoff:d", x.cutoff);
    row("noise:d", x.noise);
    row("user:*", x.user);
}

[[gnu::cold]] inline void user_sensor_attributes(AttributeRows& row, SpecSensor& x) {
    row("name objtype objname");
    row("datatype=real|positive|axis|quaternion", x.datatype);
    row("needstage=none|pos|vel|acc", x.needstage);
    row("dim:i!", x.dim);
    row("cutoff:d", x.cutoff);
    row("noise:d", x.noise);
    row("user:*", x.user);
}

[[gnu::cold]] inline void option_attributes(AttributeRows& row, Option<double>& x) {
    row("timestep:d", x.timestep);
    row("impratio:d", x.impratio);
    row("tolerance:d", x.tolerance);
    row("ls_tolerance:d", x.ls_tolerance);
    row("noslip_tolerance:d", x.noslip_tolerance);
    row("ccd_tolerance:d", x.ccd_tolerance);
    row("sleep_tolerance:d", x.sleep_tolerance);
    row("gravity:3", x.gravity);
    row("wind:3", x.wind);
    row("magnetic:3", x.magnetic);
    row("density:d", x.density);
    row("viscosity:d", x.viscosity);
    row("o_margin:d", x.o_margin);
    row("o_solref:1-2", x.o_solref);
    row("o_solimp:1-5", x.o_solimp);
    row("o_friction:1-5", x.o_friction);
    row("integrator=@integrator", x.integrator);
    row("cone=@cone", x.cone);
    row("jacobian=dense|sparse|auto", x.jacobian);
    row("solver=@solver", x.solver);
    row("iterations:i", x.iterations);
    row("ls_iterations:i", x.ls_iterations);
    row("noslip_iterations:i", x.noslip_iterations);
    row("ccd_iterations:i", x.ccd_iterations);
    row("sdf_iterations:i", x.sdf_iterations);
    row("sdf_initpoints:i", x.sdf_initpoints);
    row("actuatorgroupdisable:i*");
}

[[gnu::cold]] inline void compiler_attributes(AttributeRows& row, SpecCompiler& x) {
    row("autolimits=false|true", x.autolimits);
    row("boundmass:d", x.boundmass);
    row("boundinertia:d", x.boundinertia);
    row("settotalmass:d", x.settotalmass);
    row("balanceinertia=false|true", x.balanceinertia);
    row("strippath=false|true coordinate=local|global angle=radian|degree");
    row("fitaabb=false|true", x.fitaabb);
    row("eulerseq meshdir texturedir assetdir");
    row("discardvisual=false|true", x.discardvisual);
    row("usethread=false|true");
    row("fusestatic=false|true", x.fusestatic);
    row("inertiafromgeom=false|true|auto", x.inertiafromgeom);
    row("inertiagrouprange:i2", x.inertiagrouprange);
    row("saveinertial=false|true");
    row("alignfree=false|true", x.alignfree);
    row("conflict=warning|merge|error exactmeshinertia=false|true");
}

[[gnu::cold]] inline void lengthrange_attributes(AttributeRows& row, SpecCompiler& x) {
    row("mode=none|muscle|muscleuser|all", x.lr_mode);
    row("useexisting=false|true", x.lr_useexisting);
    row("uselimit=false|true", x.lr_uselimit);
    row("accel:d", x.lr_accel);
    row("maxforce:d", x.lr_maxforce);
    row("timeconst:d", x.lr_timeconst);
    row("timestep:d", x.lr_timestep);
    row("inttotal:d", x.lr_inttotal);
    row("interval:d", x.lr_interval);
    row("tolrange:d", x.lr_tolrange);
}

[[gnu::cold]] inline void statistic_attributes(AttributeRows& row, SpecStatistic& x) {
    row("meaninertia:d", x.meaninertia);
    row("meanmass:d", x.meanmass);
    row("meansize:d", x.meansize);
    row("extent:d", x.extent);
    row("center:3", x.center);
}

[[gnu::cold]] inline void mesh_attributes(AttributeRows& row, SpecMesh& x) {
    row("name class");
    row("content_type~", x.content_type);
    row("file~");
    row("vertex:*~", x.vert);
    row("normal:*~ texcoord:*~");
    row("face:i*~", x.face);
    row("refpos:3~", x.refpos);
    row("refquat:4~", x.refquat);
    row("scale:3", x.scale);
    row("smoothnormal=false|true~ maxhullvert:i");
    row("inertia=convex|exact|legacy|shell", x.inertia);
    row("builtin=none|sphere|hemisphere|cone|supersphere|supertorus|wedge|plate~");
    row("params:*~", x.params);
    row("material~");
}

[[gnu::cold]] inline void texture_attributes(AttributeRows& row, SpecTexture& x) {
    row("name");
    row("type=2d|cube|skybox", x.look.type);
    row("colorspace=auto|linear|sRGB content_type file gridsize:i2 gridlayout fileright fileleft fileup filedown filefront fileback");
    row("builtin=none|gradient|checker|flat", x.look.builtin);
    row("rgb1:3", x.look.rgb1);
    row("rgb2:3", x.look.rgb2);
    row("mark=none|edge|cross|random", x.look.mark);
    row("markrgb:3", x.look.markrgb);
    row("random:d width:i height:i hflip=false|true vflip=false|true nchannel:i");
}

[[gnu::cold]] inline void material_attributes(AttributeRows& row, SpecMaterial& x) {
    row("name class");
    row("texture", x.texture);
    row("texrepeat:2", x.look.texrepeat);
    row("texuniform=false|true", x.look.texuniform);
    row("emission:d", x.look.emission);
    row("specular:d", x.look.specular);
    row("shininess:d", x.look.shininess);
    row("reflectance:d", x.look.reflectance);
    row("metallic:d", x.look.metallic);
    row("roughness:d", x.look.roughness);
    row("rgba:4", x.look.rgba);
}

[[gnu::cold]] inline void headlight_attributes(AttributeRows& row, ViewLook& x) {
    row("ambient:3", x.headlight_ambient);
    row("diffuse:3", x.headlight_diffuse);
    row("specular:3", x.headlight_specular);
    row("active:i");
}

[[gnu::cold]] inline void global_attributes(AttributeRows& row, ViewLook& x) {
    row("cameraid:i orthographic=false|true");
    row("fovy:d", x.fovy);
    row("ipd:d");
    row("azimuth:d", x.azimuth);
    row("elevation:d", x.elevation);
    row("linewidth:d glow:d offwidth:i offheight:i realtime:d ellipsoidinertia=false|true bvactive=false|true");
}

[[gnu::cold]] inline void size_attributes(AttributeRows& row, Spec& x) {
    row("memory");
    row("njmax:i", x.njmax);
    row("nconmax:i", x.nconmax);
    row("nstack:i");
    row("nuserdata:i", x.nuserdata);
    row("nkey:i", x.nkey);
    row("nuser_body:i nuser_jnt:i nuser_geom:i nuser_site:i nuser_cam:i nuser_tendon:i nuser_actuator:i nuser_sensor:i");
}

[[gnu::cold]] inline void key_attributes(AttributeRows& row, SpecKey& x) {
    row("name");
    row("time:d", x.time);
    row("qpos:*", x.qpos);
    row("qvel:*", x.qvel);
    row("act:*", x.act);
    row("mpos:*", x.mpos);
    row("mquat:*", x.mquat);
    row("ctrl:*", x.ctrl);
}

}  // namespace mjx::inner::mjcf
