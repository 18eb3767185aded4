// The HUD's words and bars over a finished picture; sizes go with the picture's height.
#pragma once

#include "render/render.h"

void hud_draw(Text *text, const Hud *hud, const Target *target);
