# The OpenGL loader, generated at build time by glad 2 as the target glad.
find_program(GLAD_EXECUTABLE glad PATHS /usr/bin NO_DEFAULT_PATH)
find_program(GLAD_EXECUTABLE glad)
if(NOT GLAD_EXECUTABLE)
    message(FATAL_ERROR "The program glad is missing: install the package python3-glad")
endif()
set(glad_dir ${CMAKE_BINARY_DIR}/glad)
add_custom_command(
    OUTPUT ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h
    COMMAND ${GLAD_EXECUTABLE} --api gl:core=3.3 --extensions GL_KHR_debug,GL_KHR_robustness,GL_ARB_robustness
            --reproducible --out-path ${glad_dir} c
    COMMENT "Generating the OpenGL loader" VERBATIM)
add_library(glad STATIC ${glad_dir}/src/gl.c)
target_include_directories(glad SYSTEM PUBLIC ${glad_dir}/include)
target_compile_options(glad PRIVATE -w)
