# How many headers an example of each kind of thing touches, and which: a new one of its kind touches as many. When this fails because
# something about a kind was written down in one more place, give that place back to the kind's row.
cmake_minimum_required(VERSION 3.20)
set(failures)

# recipe(<what> <regular expression of its mentions> <files under include/mjx>...)
function(recipe what mention)
    file(GLOB_RECURSE headers RELATIVE ${ROOT}/include/mjx ${ROOT}/include/mjx/*.hpp)
    set(found)
    foreach(header IN LISTS headers)
        file(STRINGS ${ROOT}/include/mjx/${header} lines REGEX "${mention}" LIMIT_COUNT 1)
        if(lines)
            list(APPEND found ${header})
        endif()
    endforeach()
    set(expected ${ARGN})
    list(SORT expected)
    list(SORT found)
    list(LENGTH found count)
    message(STATUS "${what}: ${count} headers")
    if(NOT found STREQUAL expected)
        list(JOIN found " " found)
        list(JOIN expected " " expected)
        set(failures ${failures} "${what} is mentioned in ${found}, expected ${expected}" PARENT_SCOPE)
    endif()
endfunction()

# A joint: its struct, its number's name, its place in the list, and its name on the porch. (The reader of URDF names planar too: a joint of
# another word in URDF needs no place there.)
recipe("the joint planar" "jnt::planar|hinge, planar|struct Planar|Planar>|inner::Planar|joint/planar.hpp" joints.hpp model/types.hpp
       model/joints.hpp model/joint/planar.hpp)
# A shape: its struct, its number's name, its place in the list, its name on the porch; here with a closed form against planes, and with a
# surface of its own to look at.
recipe("the shape ellipsoid" "shape::ellipsoid|ellipsoid, cylinder, box, mesh, sdf|struct Ellipsoid :|, Ellipsoid[,>]|inner::Ellipsoid|shape/ellipsoid.hpp|surface_of[(]Ellipsoid"
       shapes.hpp model/types.hpp model/shape/list.hpp model/shape/ellipsoid.hpp collision/closed_form.hpp view/surface.hpp)
# A sensor: its number and row, its function.
recipe("the sensor clock" "sens::clock|\"clock\"" model/sensor_kinds.hpp sensor/position.hpp)
recipe("the sensor subtreeangmom" "sens::subtreeangmom|\"subtreeangmom\"" model/sensor_kinds.hpp sensor/velocity.hpp)
recipe("the sensor touch" "sens::touch|\"touch\"" model/sensor_kinds.hpp sensor/acceleration.hpp)
# A gain: its number and row, its struct; here a shortcut of MJCF, the damper, which uses it.
recipe("the gain affine" "gain::affine|\"affine\"" model/actuator_kinds.hpp stage/gain.hpp io/mjcf/actuators.hpp)
# Dynamics likewise; here the shortcut is the cylinder.
recipe("the dynamics filter" "dyn::filter[^e]|\"filter\"" model/actuator_kinds.hpp stage/activation.hpp io/mjcf/actuators.hpp)
# A transmission: its number and row, its function, the dofs of its moment; here with attributes of its own, which the reader checks.
recipe("the transmission slidercrank" "trn::slidercrank|\"cranksite\"" model/transmission_kinds.hpp stage/transmission.hpp
       compile/actuators.hpp io/mjcf/actuators.hpp)
recipe("the transmission body" "trn::body" model/transmission_kinds.hpp stage/transmission.hpp compile/actuators.hpp)
# An equality constraint: its number and row, its rows in the problem, their acceleration at constant velocity.
recipe("the equality distance" "eq::distance|ties_distance[(]" model/equality_kinds.hpp constraint/equality.hpp constraint/reference.hpp)
# An integrator and a solver: number and word, struct, name on the porch, the lists of those that files may ask for and of compiled steps.
recipe("the integrator implicit_spring_damper" "implicit_spring_damper }|integrator_type::implicit_spring_damper|inner::ImplicitSpringDamper|ImplicitSpringDamper(>|, S)"
       model/types.hpp integrator/implicit_spring_damper.hpp integrators.hpp registry.hpp compiled.hpp)
recipe("the solver Penalty" "penalty }|solver_type::penalty|struct Penalty |inner::Penalty|[(, ]Penalty[>)]" model/types.hpp solver/penalty.hpp solvers.hpp
       registry.hpp compiled.hpp)
# A shortcut: its word and attributes in the schema, its row and function.
recipe("the shortcut damper" "damper\\*|set_damper" io/mjcf/schema_table.hpp io/mjcf/actuators.hpp)
# An attribute: the member of the Spec, its row, what the compiler makes of it; if physics reads it, the model's table and the list of
# tables, and its reader.
recipe("the attribute boundmass of the compiler" "boundmass" model/spec.hpp io/mjcf/attribute_table.hpp compile/body.hpp)
recipe("the attribute solmix of geoms" "solmix" model/spec.hpp io/mjcf/attribute_table.hpp compile/tables.hpp model/model.hpp
       model/fields.hpp collision/parameters.hpp)
# A hook: its struct, and the stage that calls it.
recipe("the hook passive" "hook::passive" stage/hooks.hpp stage/passive.hpp)

if(failures)
    list(JOIN failures "\n  " failures)
    message(FATAL_ERROR "recipes:\n  ${failures}")
endif()
