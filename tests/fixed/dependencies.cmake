# Fails unless the list of files that workshop.hpp depends on names the model, the part it includes and its mesh.
list(GET HEADERS 0 directory)
file(READ ${directory}/workshop.hpp.d files)
foreach(file workshop.xml parts/bench.xml parts/wedge.obj)
    if(NOT files MATCHES "/${file}")
        message(FATAL_ERROR "workshop.hpp does not depend on ${file}:\n${files}")
    endif()
endforeach()
