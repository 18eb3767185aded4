// Bodies: meshes in graphics memory, one for each emitter and field that is drawn as one.
#pragma once

#include "control/control.h"
#include "gfx/gfx.h"

typedef struct {
    GLuint buffer; // corners: position, normal; 0: there is no body
    GLuint array;  // takes them, and a sprite an instance
    GLsizei corners;
} Body;

// Between frames.  Faces that meet at less than 40 degrees are smooth, others have an edge; of
// each instance the array takes that many attributes, from 0 on.  NULL takes the
// body away.  False and one sentence, in which `name` is who has it, when the machine refuses; then
// there is none.  Allocates.
bool body_set(Body *body, const Mesh *mesh, int attributes, const char *name, char *why,
              int why_size);

void body_free(Body *body); // leaves none
