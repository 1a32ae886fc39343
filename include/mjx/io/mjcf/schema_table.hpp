// The MJCF language as one table: every element, its attributes, its children, and which attributes exclude or need each other; at
// the end what is read of URDF. It follows MuJoCo 3.14. Reading, checking and messages all go by this table; schema.hpp gives it
// its meaning. Attributes that go straight into the Spec stand in attribute_table.hpp, one row each with its place, and are
// listed<> here.
//
// Attributes:  name           text                      name:d  name:3  name:1-3  name:*   numbers: one, exactly 3, 1 to 3, any
//              name:i :i2 :i* integers                  name=a|b|c        one keyword;  name=+a|b|c  several, in this order (&: in any)
//              name!          required                  name~             not allowed inside <default>
//              $group         the attributes of a group name=@gain        the words of a table (schema.hpp: kind_words)
//              *              others are passed over
// Children:    tag* tag?      any number, at most one   tag:rule*         an element `tag` that follows the row `rule`
//              $group         those of a group          $group?           at most one of each
//              *              others are passed over    @sensors          the kinds of sensors (model/sensor_kinds.hpp)
// Conditions:  max1 a b+c     at most one of the listed (a+b: a set)      min1 a b+c   at least one complete
//              all a b        together or not at all
#pragma once

#include "mjx/io/mjcf/attribute_table.hpp"
#include "mjx/model/sensor_kinds.hpp"

namespace mjx::inner::mjcf {

struct SchemaRow {
    const char *name, *attributes, *children, *conditions;
    AttributeRows (*table)() = nullptr;  // further attributes: only the notation of their rows means something
};

template <class Item>
[[gnu::cold]] AttributeRows rows_of(void (*table)(AttributeRows&, Item&)) {
    SpecList<Item> one;  // makes and deletes it by functions that there are already
    return AttributeRows(table, one.emplace_back());
}
template <auto& Table>
AttributeRows listed() {
    return rows_of(Table);
}

inline constexpr SchemaRow schema_table[] = {
    // groups of attributes
    {"$orientation", "quat:4 axisangle:4 xyaxes:6 zaxis:3 euler:3", "", ""},
    {"$actuator", "", "", "", listed<actuator_attributes>},
    {"$ctrllimited", "", "", "", listed<ctrllimited_attributes>},
    {"$forcelimited", "", "", "", listed<forcelimited_attributes>},
    {"$actlimited", "", "", "", listed<actlimited_attributes>},
    {"$mechanics", "", "", "", listed<mechanics_attributes>},
    {"$transmission", "joint~ jointinparent~ tendon~ slidersite~ cranksite~ site~ refsite~", "", ""},
    {"$sensor", "", "", "", listed<sensor_attributes>},
    {"$frameobject", "objtype=body|xbody|geom|site|camera! objname!", "", ""},
    {"$framereference", "reftype=body|xbody|geom|site|camera refname", "", ""},
    {"$equality", "", "", "", listed<equality_attributes>},
    {"$tendon", "", "", "", listed<tendon_attributes>},
    {"$actuators", "", "general* motor* position* velocity* intvelocity* orientation* pid* damper* cylinder* muscle* adhesion* dcmotor*",
     ""},
    {"$bodytree", "", "body* frame* replicate* inertial? joint* freejoint* geom* attach* site* camera* light* plugin* composite* flexcomp*",
     ""},

    // document
    {"mujoco", "model",
     "compiler* option* size* statistic* visual* default* extension* asset* worldbody* deformable* contact* tendon* equality* "
     "actuator* sensor* custom* keyframe*",
     ""},
    {"compiler", "", "lengthrange?", "", listed<compiler_attributes>},
    {"lengthrange", "", "", "", listed<lengthrange_attributes>},
    {"option", "", "flag?", "", listed<option_attributes>},
    {"flag",
     "constraint=disable|enable equality=disable|enable frictionloss=disable|enable limit=disable|enable contact=disable|enable "
     "spring=disable|enable damper=disable|enable gravity=disable|enable clampctrl=disable|enable warmstart=disable|enable "
     "filterparent=disable|enable actuation=disable|enable refsafe=disable|enable sensor=disable|enable midphase=disable|enable "
     "eulerdamp=disable|enable autoreset=disable|enable nativeccd=disable|enable island=disable|enable multiccd=disable|enable "
     "override=disable|enable energy=disable|enable fwdinv=disable|enable invdiscrete=disable|enable sleep=disable|enable "
     "diagexact=disable|enable",
     "", ""},
    {"size", "", "", "max1 memory nstack; max1 memory njmax", listed<size_attributes>},
    {"statistic", "", "", "", listed<statistic_attributes>},
    {"visual", "", "global? quality? headlight? map? scale? rgba?", ""},
    {"global", "", "", "", listed<global_attributes>},
    {"quality", "shadowsize:i offsamples:i numslices:i numstacks:i numquads:i", "", ""},
    {"headlight", "", "", "", listed<headlight_attributes>},
    {"map",
     "stiffness:d stiffnessrot:d force:d torque:d alpha:d fogstart:d fogend:d znear:d zfar:d haze:d shadowclip:d shadowscale:d "
     "actuatortendon:d",
     "", ""},
    {"scale",
     "forcewidth:d contactwidth:d contactheight:d connect:d com:d camera:d light:d selectpoint:d jointlength:d jointwidth:d "
     "actuatorlength:d actuatorwidth:d framelength:d framewidth:d constraint:d slidercrank:d frustum:d",
     "", ""},
    {"rgba",
     "fog:4 haze:4 force:4 inertia:4 joint:4 actuator:4 actuatornegative:4 actuatorpositive:4 com:4 camera:4 light:4 "
     "selectpoint:4 connect:4 contactpoint:4 contactforce:4 contactfriction:4 contacttorque:4 contactgap:4 rangefinder:4 "
     "constraint:4 slidercrank:4 crankbroken:4 frustum:4 bv:4 bvactive:4",
     "", ""},
    {"default", "class",
     "default* mesh? material? joint? geom? site? camera? light? pair? equality:default_equality? tendon:default_tendon? $actuators?", ""},
    {"default_equality", "$equality", "", ""},
    {"default_tendon", "$tendon", "", "", listed<spatial_attributes>},
    {"extension", "", "plugin:extension_plugin*", ""},
    {"extension_plugin", "plugin", "instance*", ""},
    {"instance", "name!", "config*", ""},
    {"config", "key! value", "", ""},
    {"plugin", "plugin instance", "config*", ""},

    // plugins: the keys of <config>
    {"mujoco.sdf.torus", "radius1:d radius2:d", "", ""},
    {"mujoco.sdf.gear", "alpha:d diameter:d teeth:d thickness:d innerdiameter:d", "", ""},
    {"mujoco.sdf.bowl", "height:d radius:d thickness:d", "", ""},
    {"mujoco.sdf.bolt", "radius:d", "", ""},
    {"mujoco.sdf.nut", "radius:d", "", ""},
    {"mujoco.elasticity.cable", "twist:d bend:d flat=false|true vmax:d", "", ""},
    {"mujoco.sensor.touch_grid", "nchannel:i size:i2! fov:2! gamma:d", "", ""},
    {"mujoco.pid", "kp:d ki:d kd:d imax:d slewmax:d", "", ""},

    // assets
    {"asset", "", "mesh* hfield* skin* texture* material* model*", ""},
    {"mesh", "", "plugin*", "max1 builtin file; max1 builtin vertex", listed<mesh_attributes>},
    {"hfield", "name content_type file nrow:i ncol:i size:4! elevation:*", "", ""},
    {"skin", "name file material rgba:4 inflate:d vertex:* texcoord:* face:i* group:i", "bone*", ""},
    {"bone", "body! bindpos:3 bindquat:4 vertid:i* vertweight:*", "", ""},
    {"texture", "", "", "", listed<texture_attributes>},
    {"material", "", "layer*", "", listed<material_attributes>},
    {"layer", "texture role=rgb|occlusion|roughness|metallic|normal|opacity|emissive|rgba|orm!", "", ""},
    {"model", "name file! content_type", "", ""},

    // the body tree
    {"worldbody", "", "$bodytree", ""},
    {"body", "", "$bodytree", "max1 quat axisangle xyaxes zaxis euler", listed<body_attributes>},
    {"frame", "name childclass pos:3 $orientation", "$bodytree", "max1 quat axisangle xyaxes zaxis euler"},
    {"replicate", "count:i! offset:3 euler:3 sep prefix childclass", "$bodytree", ""},
    {"attach", "model body frame prefix!", "", "max1 body frame"},
    {"inertial", "", "", "max1 fullinertia quat axisangle xyaxes zaxis euler", listed<inertial_attributes>},
    {"joint", "", "", "", listed<joint_attributes>},
    {"freejoint", "name group:i align=false|true|auto", "", ""},
    {"geom", "", "plugin*", "max1 quat axisangle xyaxes zaxis euler", listed<geom_attributes>},
    {"site", "", "", "max1 quat axisangle xyaxes zaxis euler", listed<site_attributes>},
    {"camera", "", "", "max1 fovy sensorsize; max1 quat axisangle xyaxes zaxis euler", listed<camera_attributes>},
    {"light", "", "", "max1 directional type", listed<light_attributes>},
    {"composite", "prefix type! count:i1-3 offset:3 vertex:* initial curve size:1-3 quat:4",
     "joint:composite_joint? skin:composite_skin? geom:composite_geom? site:composite_site? plugin?", ""},
    {"composite_joint",
     "kind=main! group:i stiffness:d damping:d armature:d solreffix:1-2 solimpfix:1-5 type=@joint axis:3 limited=false|true|auto range:2 "
     "margin:d solreflimit:1-2 solimplimit:1-5 frictionloss:d solreffriction:1-2 solimpfriction:1-5",
     "", ""},
    {"composite_skin", "texcoord=false|true material group:i rgba:4 inflate:d subgrid:i", "", ""},
    {"composite_geom", "", "", "", listed<geom_attributes>},
    {"composite_site", "group:i size:1-3 material rgba:4", "", ""},
    {"flexcomp",
     "name! type group:i dim:i dof count:i3 cellcount:i3 spacing:3 radius:d rigid=false|true mass:d inertiabox:d scale:3 file "
     "point:* element:i* texcoord:* material rgba:4 flatskin=false|true pos:3 $orientation origin:3",
     "edge:unread? elasticity:unread? contact:unread? pin:unread* plugin*", ""},
    {"unread", "*", "", ""},

    // deformable, contact
    {"deformable", "", "flex* skin*", ""},
    {"flex",
     "name group:i dim:i radius:d material rgba:4 flatskin=false|true body! vertex:* element:i*! texcoord:* elemtexcoord:i* node "
     "nodecoord:* cellcount:i3 dof",
     "contact:unread? edge:unread? elasticity:unread?", ""},
    {"contact", "", "pair* exclude*", ""},
    {"pair", "", "", "", listed<pair_attributes>},
    {"exclude", "name body1! body2!", "", ""},

    // tendon, equality
    {"tendon", "", "spatial* fixed*", ""},
    {"spatial", "$tendon", "site:wrap_site* geom:wrap_geom* pulley*", "", listed<spatial_attributes>},
    {"fixed", "$tendon", "joint:wrap_joint*", ""},
    {"wrap_site", "site!", "", ""},
    {"wrap_geom", "geom! sidesite", "", ""},
    {"wrap_joint", "joint! coef:d!", "", ""},
    {"pulley", "divisor:d!", "", ""},
    {"equality", "",
     "connect* weld* joint:equality_joint* tendon:equality_tendon* flex:equality_flex* flexvert:equality_flex* "
     "flexstrain:equality_flexstrain*",
     ""},
    {"connect", "$equality body1 body2 anchor:3 site1 site2", "",
     "max1 site1+site2 body1+body2+anchor; min1 site1+site2 body1+anchor; all site1 site2"},
    {"weld", "$equality body1 body2 relpose:7 anchor:3 site1 site2 torquescale:d", "",
     "max1 site1+site2 body1+body2+anchor+relpose; min1 site1+site2 body1; all site1 site2"},
    {"equality_joint", "$equality joint1! joint2 polycoef:1-5", "", ""},
    {"equality_tendon", "$equality tendon1! tendon2 polycoef:1-5", "", ""},
    {"equality_flex", "$equality flex!", "", ""},
    {"equality_flexstrain", "$equality flex! cell:3", "", ""},

    // actuators
    {"actuator", "", "$actuators plugin:actuator_plugin*", ""},
    {"general", "", "", "", listed<general_attributes>},
    {"motor", "$actuator $ctrllimited $forcelimited $mechanics $transmission", "", ""},
    {"position", "$actuator $ctrllimited $forcelimited $mechanics $transmission inheritrange:d kp:d kv:d dampratio:d timeconst:d", "", ""},
    {"velocity", "$actuator $ctrllimited $forcelimited $mechanics $transmission kv:d", "", ""},
    {"intvelocity", "$actuator $ctrllimited $forcelimited $actlimited $mechanics $transmission inheritrange:d kp:d kv:d dampratio:d", "",
     ""},
    {"orientation", "$actuator $forcelimited joint~ site~ refsite~ kp:d kv:d dampratio:d input=expmap|quat", "", ""},
    {"pid",
     "$actuator $ctrllimited $forcelimited $mechanics $transmission posrange:2 velrange:2 ffrange:2 inheritrange:d kp:d kv:d "
     "dampratio:d ki:d imax:d slewmax:d input",
     "", ""},
    {"damper", "$actuator $forcelimited $mechanics $transmission kv:d", "", ""},
    {"cylinder", "$actuator $ctrllimited $forcelimited $mechanics $transmission timeconst:d area:d diameter:d bias:3", "", ""},
    {"muscle",
     "$actuator $ctrllimited $forcelimited $mechanics joint~ jointinparent~ tendon~ slidersite~ cranksite~ timeconst:2 "
     "tausmooth:d~ range:2 force:d scale:d lmin:d lmax:d vmax:d fpmax:d fvmax:d",
     "", ""},
    {"adhesion", "$actuator $forcelimited body~ gain:d", "", ""},
    {"dcmotor",
     "$actuator $ctrllimited $mechanics $transmission motorconst:1-2 resistance:d nominal:1-3 saturation:1-3 inductance:1-2 "
     "cogging:1-3 controller:1-6 thermal:1-6 lugre:1-5 input",
     "", ""},
    {"actuator_plugin",
     "$actuator plugin instance $ctrllimited $forcelimited $actlimited $mechanics joint jointinparent site actdim:i "
     "dyntype=@dyn dynprm:1-10 tendon cranksite slidersite "
     "actearly=false|true",
     "config*", ""},

    // sensors
    {"sensor", "", "@sensors", ""},
    {"site_sensor", "$sensor site!", "", ""},
    {"joint_sensor", "$sensor joint!", "", ""},
    {"tendon_sensor", "$sensor tendon!", "", ""},
    {"actuator_sensor", "$sensor actuator!", "", ""},
    {"body_sensor", "$sensor body!", "", ""},
    {"plain_sensor", "$sensor", "", ""},
    {"frame_sensor", "$sensor $frameobject $framereference", "", "all reftype refname"},
    {"acceleration_sensor", "$sensor $frameobject", "", ""},
    {"camprojection", "$sensor site! camera!", "", ""},
    {"rangefinder", "$sensor site camera data=+dist|dir|origin|point|normal|depth", "", "max1 site camera; min1 site camera"},
    {"insidesite", "$sensor site! $frameobject", "", ""},
    {"distance_sensor", "$sensor geom1 geom2 body1 body2", "", "max1 geom1 body1; min1 geom1 body1; max1 geom2 body2; min1 geom2 body2"},
    {"contact_sensor",
     "$sensor geom1 geom2 body1 body2 subtree1 subtree2 site num:i data=+found|force|torque|dist|pos|normal|tangent "
     "reduce=none|mindist|maxforce|netforce",
     "", "max1 geom1 body1 subtree1 site; max1 geom2 body2 subtree2"},
    {"tactile", "name geom! mesh! nsample:i interp=zoh|linear|cubic delay:d interval:1-2 user:*", "", ""},
    {"user", "", "", "all objtype objname", listed<user_sensor_attributes>},
    {"sensor_plugin", "name plugin instance cutoff:d objtype objname reftype refname user:*", "config*", ""},

    // custom, keyframe
    {"custom", "", "numeric* text* tuple*", ""},
    {"numeric", "name! size:i data:*", "", ""},
    {"text", "name! data", "", ""},
    {"tuple", "name!", "element*", ""},
    {"element", "objtype! objname! prm:d", "", ""},
    {"keyframe", "", "key*", ""},
    {"key", "", "", "", listed<key_attributes>},

    // URDF, which others extend freely
    {"robot", "name *", "mujoco:urdf_mujoco? material:urdf_material* link:urdf_link* joint:urdf_joint* *", ""},
    {"urdf_mujoco", "planar=slides|joint", "compiler? option? size?", ""},
    {"urdf_link", "name! *", "inertial:urdf_inertial? visual:urdf_shape* collision:urdf_shape* *", ""},
    {"urdf_origin", "xyz:3 rpy:3 *", "*", ""},
    {"urdf_inertial", "*", "origin:urdf_origin? mass:urdf_mass? inertia:urdf_inertia? *", ""},
    {"urdf_mass", "value:d! *", "*", ""},
    {"urdf_inertia", "ixx:d! iyy:d! izz:d! ixy:d ixz:d iyz:d *", "*", ""},
    {"urdf_shape", "name *", "origin:urdf_origin? geometry:urdf_geometry? material:urdf_material? *", ""},
    {"urdf_material", "name *", "color:urdf_color? *", ""},
    {"urdf_color", "rgba:1-4 *", "*", ""},
    {"urdf_geometry", "*", "box:urdf_box? cylinder:urdf_cylinder? sphere:urdf_sphere? capsule:urdf_cylinder? mesh:urdf_mesh? *", ""},
    {"urdf_box", "size:3! *", "*", ""},
    {"urdf_cylinder", "radius:d! length:d! *", "*", ""},
    {"urdf_sphere", "radius:d! *", "*", ""},
    {"urdf_mesh", "filename! scale:3 *", "*", ""},
    {"urdf_joint", "name! type=revolute|continuous|prismatic|fixed|floating|planar|spherical! *",
     "parent:urdf_reference? child:urdf_reference? origin:urdf_origin? axis:urdf_axis? dynamics:urdf_dynamics? limit:urdf_limit? "
     "mimic:urdf_mimic? *",
     ""},
    {"urdf_reference", "link! *", "*", ""},
    {"urdf_axis", "xyz:3! *", "*", ""},
    {"urdf_dynamics", "damping:d friction:d *", "*", ""},
    {"urdf_limit", "lower:d upper:d effort:d *", "*", ""},
    {"urdf_mimic", "joint! multiplier:d offset:d *", "*", ""},
};

}  // namespace mjx::inner::mjcf
