# need(MODULE PACKAGE): the library of that pkg-config name as the target PkgConfig::MODULE, or one
# sentence with the Debian package that has it.  want(): the same, but it may be absent.
find_program(PKG_CONFIG_EXECUTABLE pkg-config)
if(NOT PKG_CONFIG_EXECUTABLE)
    message(FATAL_ERROR "pkg-config is missing: install the package pkg-config")
endif()
find_package(PkgConfig REQUIRED)

function(need module package)
    pkg_check_modules(${module} QUIET IMPORTED_TARGET GLOBAL ${module})
    if(NOT ${module}_FOUND)
        message(FATAL_ERROR "The library ${module} is missing: install the package ${package}")
    endif()
endfunction()

function(want module package)
    pkg_check_modules(${module} QUIET IMPORTED_TARGET GLOBAL ${module})
    if(NOT ${module}_FOUND)
        message(STATUS "Without ${module} (package ${package})")
    endif()
endfunction()
