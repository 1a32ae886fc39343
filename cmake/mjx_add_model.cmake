# mjx_add_model(<target> <file.xml> [NAME <Name>] [CONTACTS <n>] [ROWS <n>] [VISUALS]): compiles a robot (MJCF or URDF) into the target
# as a type.
#
# At build time mjx_generate reads the model and writes a header with models::<Name>, called after the name: mjx_add_model(app scene.xml
# NAME UnitreeGo2) gives models::UnitreeGo2 in "unitree_go2.hpp". Without NAME both are called after the file: half_cheetah.xml gives
# models::HalfCheetah in "half_cheetah.hpp". The header is written again when the model, a file it includes or one of its meshes changes.
# When cross-compiling, set MJX_GENERATE to a generator built for this machine.
#
# Data of a fixed model has room for CONTACTS contacts and ROWS constraint rows: by default what <size nconmax njmax/> in the file says, or
# enough for a robot on a floor (include/mjx/compile/capacity.hpp). A step that needs more counts a warning, and a Simulator says so.
# Geoms that touch nothing and nothing refers to, with their meshes, are left out unless VISUALS is given; rays do not see them then.
set(MJX_GENERATE "" CACHE FILEPATH "The program mjx_generate to use instead of building it")

function(mjx_add_model target file)
    cmake_parse_arguments(PARSE_ARGV 2 arg "VISUALS" "NAME;CONTACTS;ROWS" "")
    if(arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "mjx_add_model: unknown arguments ${arg_UNPARSED_ARGUMENTS}; expected "
                            "mjx_add_model(target file.xml [NAME Name] [CONTACTS n] [ROWS n] [VISUALS])")
    endif()
    set(options)
    foreach(option CONTACTS ROWS)
        if(DEFINED arg_${option})
            if(NOT arg_${option} MATCHES "^[1-9][0-9]*$")
                message(FATAL_ERROR "mjx_add_model: ${option} is '${arg_${option}}', expected a positive number")
            endif()
            string(TOLOWER --${option} word)
            list(APPEND options ${word} ${arg_${option}})
        endif()
    endforeach()
    if(arg_VISUALS)
        list(APPEND options --visuals)
    endif()
    get_filename_component(path ${file} ABSOLUTE)
    get_filename_component(stem ${file} NAME_WLE)
    get_filename_component(origin ${file} NAME)
    if(NOT EXISTS ${path})
        message(FATAL_ERROR "mjx_add_model: ${path} does not exist")
    endif()
    if(arg_NAME)
        mjx_snake_case(${arg_NAME} stem)
    else()
        mjx_camel_case(${stem} arg_NAME)
    endif()
    set(keywords alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class co_await
        co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do double
        dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not
        not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return short signed sizeof static
        static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using
        virtual void volatile wchar_t while xor xor_eq)
    if(NOT arg_NAME MATCHES "^[A-Za-z_][A-Za-z0-9_]*$" OR arg_NAME IN_LIST keywords)
        message(FATAL_ERROR "mjx_add_model: '${arg_NAME}' is not a name for a C++ type; give another with NAME")
    endif()
    if(MJX_GENERATE)
        set(generator ${MJX_GENERATE})
    else()
        set(generator mjx_generate)
        if(NOT TARGET mjx_generate)
            add_executable(mjx_generate EXCLUDE_FROM_ALL ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/generator/main.cpp)
            target_link_libraries(mjx_generate PRIVATE mjx::mjx)
        endif()
    endif()

    set(directory ${CMAKE_CURRENT_BINARY_DIR}/${target}_models)
    set(header ${directory}/${stem}.hpp)
    if(TARGET ${target}_model_${stem})
        message(FATAL_ERROR "mjx_add_model: ${target} has a model in \"${stem}.hpp\" already; give ${origin} another name with NAME")
    endif()
    file(MAKE_DIRECTORY ${directory})
    add_custom_command(
        OUTPUT ${header}
        COMMAND ${generator} ${path} ${arg_NAME} ${header} ${header}.d ${options}
        DEPENDS ${path} ${generator}
        DEPFILE ${header}.d
        COMMENT "Writing models::${arg_NAME} from ${origin}"
        VERBATIM)
    add_custom_target(${target}_model_${stem} DEPENDS ${header})
    add_dependencies(${target} ${target}_model_${stem})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL INTERFACE_LIBRARY)
        target_include_directories(${target} INTERFACE ${directory})
    else()
        target_include_directories(${target} PRIVATE ${directory})
    endif()
    mjx_speak_of_build_type()
endfunction()

# Says once that nothing is going to be optimized.
function(mjx_speak_of_build_type)
    get_property(said GLOBAL PROPERTY MJX_SPOKE_OF_BUILD_TYPE)
    if(said OR CMAKE_BUILD_TYPE OR CMAKE_CONFIGURATION_TYPES OR "${CMAKE_CXX_FLAGS}" MATCHES "-O[123s]")
        return()
    endif()
    set_property(GLOBAL PROPERTY MJX_SPOKE_OF_BUILD_TYPE ON)
    message(NOTICE "mjx: no build type is set, so fixed models are not optimized: a step takes about thirty times as long. "
                   "Configure with -DCMAKE_BUILD_TYPE=Release")
endfunction()

# half_cheetah, half-cheetah and half cheetah become HalfCheetah.
function(mjx_camel_case text result)
    string(REGEX MATCHALL "[A-Za-z0-9]+" words "${text}")
    set(name "")
    foreach(word IN LISTS words)
        string(SUBSTRING ${word} 0 1 first)
        string(SUBSTRING ${word} 1 -1 rest)
        string(TOUPPER ${first} first)
        string(APPEND name ${first}${rest})
    endforeach()
    set(${result} ${name} PARENT_SCOPE)
endfunction()

# HalfCheetah becomes half_cheetah, UR5e ur5e and UnitreeGo2 unitree_go2.
function(mjx_snake_case text result)
    string(REGEX REPLACE "([a-z0-9])([A-Z])" "\\1_\\2" name "${text}")
    string(TOLOWER "${name}" name)
    set(${result} ${name} PARENT_SCOPE)
endfunction()
