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

# room(NAME FILES a.c ... USES lower rooms ... LIBS libraries ...): a folder of src/ as a static
# library.  LIBS of the form x-y that `need` found are written as pkg:x-y.
set(MOTES_FLAGS -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith
    -Wno-format-truncation
    -fno-math-errno -fno-trapping-math -ffp-contract=off) # exact: the same sums on every processor
if(MOTES_SANITIZE STREQUAL "address")
    list(APPEND MOTES_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=undefined
         -fno-omit-frame-pointer)
    add_link_options(-fsanitize=address,undefined)
elseif(MOTES_SANITIZE STREQUAL "thread")
    list(APPEND MOTES_FLAGS -fsanitize=thread)
    add_link_options(-fsanitize=thread)
elseif(MOTES_SANITIZE)
    message(FATAL_ERROR "MOTES_SANITIZE is ${MOTES_SANITIZE}: it takes address or thread")
endif()
add_compile_options(${MOTES_FLAGS})
add_compile_definitions(_GNU_SOURCE)

find_package(Threads REQUIRED)

function(resolve_libs out)
    set(found)
    foreach(lib ${ARGN})
        if(lib MATCHES "^pkg:(.*)$")
            if(TARGET PkgConfig::${CMAKE_MATCH_1})
                list(APPEND found PkgConfig::${CMAKE_MATCH_1})
            endif()
        else()
            list(APPEND found ${lib})
        endif()
    endforeach()
    set(${out} ${found} PARENT_SCOPE)
endfunction()

function(room name)
    cmake_parse_arguments(ROOM "" "" "FILES;USES;LIBS" ${ARGN})
    resolve_libs(libs ${ROOM_LIBS})
    list(TRANSFORM ROOM_USES PREPEND room_)
    if(NOT ROOM_FILES)
        add_library(room_${name} INTERFACE)
        target_include_directories(room_${name} INTERFACE ${CMAKE_SOURCE_DIR}/src)
        target_link_libraries(room_${name} INTERFACE ${ROOM_USES} ${libs})
        return()
    endif()
    list(TRANSFORM ROOM_FILES PREPEND ${CMAKE_SOURCE_DIR}/src/${name}/)
    add_library(room_${name} STATIC ${ROOM_FILES})
    target_include_directories(room_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(room_${name} PUBLIC ${ROOM_USES} ${libs} Threads::Threads)
endfunction()

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

# The HUD's letters, drawn into an atlas at build time as the target font.
find_path(STB_TRUETYPE stb_truetype.h PATH_SUFFIXES stb)
if(NOT STB_TRUETYPE)
    message(FATAL_ERROR "The header stb_truetype.h is missing: install the package libstb-dev")
endif()
find_file(FONT_FILE DejaVuSansMono.ttf NO_CMAKE_FIND_ROOT_PATH
          PATHS /usr/share/fonts /usr/local/share/fonts
          PATH_SUFFIXES truetype/dejavu dejavu TTF dejavu-sans-mono-fonts)
if(NOT FONT_FILE)
    message(FATAL_ERROR "The font DejaVuSansMono.ttf is missing: install the package fonts-dejavu-core")
endif()
add_executable(bake_font ${CMAKE_SOURCE_DIR}/src/gfx/bake_font.c)
target_include_directories(bake_font SYSTEM PRIVATE ${STB_TRUETYPE})
target_compile_options(bake_font PRIVATE -w -O2 -fno-sanitize=all) # most of it is stb_truetype's
target_link_libraries(bake_font PRIVATE m)
set(font_dir ${CMAKE_BINARY_DIR}/font)
file(MAKE_DIRECTORY ${font_dir})
add_custom_command(
    OUTPUT ${font_dir}/font.c
    COMMAND bake_font ${FONT_FILE} ${font_dir}/font.c
    DEPENDS bake_font ${FONT_FILE}
    COMMENT "Drawing the letters" VERBATIM)
add_library(font STATIC ${font_dir}/font.c)
target_include_directories(font PRIVATE ${CMAKE_SOURCE_DIR}/src)
