#include "datasets/synth/digit_strokes.h"

#define LIFT                                                                                                           \
    {                                                                                                                  \
        -1, 0                                                                                                          \
    }

static const sb_stroke_point zero_round[] = {{55, 2},  {5, 0},  {8, 72}, {12, 140}, {52, 138}, {96, 136},
                                             {94, 66}, {92, 2}, {50, 4}, LIFT,      LIFT};
static const sb_stroke_point zero_open[] = {{70, 12}, {40, -8}, {18, 40}, {-0, 110}, {40, 136}, {84, 146},
                                            {92, 80}, {96, 16}, {52, 2},  LIFT,      LIFT};
static const sb_stroke_point one_plain[] = {{52, 2}, {50, 70}, {46, 138}, LIFT, LIFT};
static const sb_stroke_point one_flag[] = {{30, 32}, {46, 20}, {56, 2}, {54, 70}, {52, 138}, LIFT, LIFT};
static const sb_stroke_point one_foot[] = {{32, 28},  {48, 18},  {54, 2},   {53, 70}, {52, 136}, LIFT,
                                           {28, 137}, {52, 137}, {78, 136}, LIFT,     LIFT};
static const sb_stroke_point two_curl[] = {{12, 34},  {20, -2},  {56, 2},   {94, 8},   {80, 52}, {66, 90}, {10, 134},
                                           {30, 112}, {46, 124}, {66, 138}, {94, 128}, LIFT,     LIFT};
static const sb_stroke_point two_corner[] = {{14, 30},  {24, 0},   {54, 2},   {90, 6}, {84, 40}, {76, 80},
                                             {10, 136}, {50, 136}, {94, 134}, LIFT,    LIFT};
static const sb_stroke_point three_round[] = {{14, 20},  {34, -4},  {62, 4},  {92, 16},  {74, 46},
                                              {62, 62},  {36, 64},  {90, 66}, {90, 100}, {84, 140},
                                              {40, 136}, {18, 134}, {8, 116}, LIFT,      LIFT};
static const sb_stroke_point three_flat[] = {{12, 6},   {48, 4},   {84, 4},   {60, 32}, {40, 56}, {92, 60}, {90, 98},
                                             {84, 142}, {36, 136}, {16, 132}, {8, 118}, LIFT,     LIFT};
static const sb_stroke_point four_open[] = {{24, 6}, {18, 40}, {12, 74},  {50, 80}, {90, 74}, LIFT,
                                            {76, 8}, {72, 70}, {66, 138}, LIFT,     LIFT};
static const sb_stroke_point four_closed[] = {{64, 4}, {36, 44}, {8, 90},   {50, 94}, {96, 92}, LIFT,
                                              {64, 4}, {66, 70}, {64, 138}, LIFT,     LIFT};
static const sb_stroke_point five_hat[] = {{28, 8},   {22, 34},  {18, 60},  {52, 44},  {76, 64},
                                           {100, 96}, {66, 128}, {38, 146}, {10, 122}, LIFT,
                                           {28, 8},   {58, 8},   {90, 4},   LIFT,      LIFT};
static const sb_stroke_point five_flow[] = {{88, 6},   {56, 2},   {32, 8},   {26, 34},  {22, 60}, {80, 50}, {86, 90},
                                            {84, 140}, {40, 138}, {18, 136}, {10, 118}, LIFT,     LIFT};
static const sb_stroke_point six_loop[] = {{70, 4},  {30, 24}, {16, 80}, {10, 138}, {50, 138}, {92, 136}, {86, 94},
                                           {78, 62}, {46, 72}, {22, 82}, {20, 110}, LIFT,      LIFT};
static const sb_stroke_point six_slim[] = {{58, 2},  {20, 50}, {18, 92}, {18, 140}, {50, 138}, {82, 134}, {80, 106},
                                           {74, 76}, {44, 88}, {28, 94}, {20, 108}, LIFT,      LIFT};
static const sb_stroke_point seven_plain[] = {{10, 14}, {50, 10}, {90, 8}, {62, 60}, {42, 138}, LIFT, LIFT};
static const sb_stroke_point seven_hook[] = {{12, 30}, {12, 10},  {22, 10}, {56, 14}, {90, 8},
                                             {70, 60}, {52, 138}, LIFT,     LIFT};
static const sb_stroke_point seven_bar[] = {{10, 12}, {50, 12}, {90, 8},  {66, 60}, {40, 138}, LIFT,
                                            {34, 70}, {56, 70}, {80, 66}, LIFT,     LIFT};
static const sb_stroke_point eight_flow[] = {{80, 20}, {56, -8},  {28, 12},  {6, 36},   {46, 62},
                                             {94, 90}, {80, 118}, {54, 150}, {24, 124}, {4, 94},
                                             {46, 68}, {92, 36},  {78, 16},  LIFT,      LIFT};
static const sb_stroke_point eight_rings[] = {{52, 64}, {14, 56}, {22, 28}, {34, -4},  {60, 4},   {88, 18},  {76, 44},
                                              {68, 60}, {50, 66}, {12, 84}, {16, 112}, {26, 144}, {58, 138}, {92, 126},
                                              {84, 96}, {76, 74}, {50, 66}, LIFT,      LIFT};
static const sb_stroke_point nine_straight[] = {{80, 24}, {60, -8}, {32, 10},  {4, 36}, {26, 60}, {58, 76},
                                                {80, 22}, {80, 80}, {72, 138}, LIFT,    LIFT};
static const sb_stroke_point nine_curved[] = {{80, 30},  {68, -4},  {38, 4},   {6, 20},  {18, 52},
                                              {38, 80},  {76, 44},  {82, 30},  {80, 22}, {88, 100},
                                              {68, 124}, {44, 146}, {20, 126}, LIFT,     LIFT};

const sb_stroke_point *sb_digit_strokes(int digit, int way)
{
    static const sb_stroke_point *const ways[10][SB_DIGIT_WAYS] = {
        {zero_round, zero_open, zero_round},   {one_plain, one_flag, one_foot},
        {two_curl, two_corner, two_corner},    {three_round, three_round, three_flat},
        {four_open, four_open, four_closed},   {five_hat, five_flow, five_hat},
        {six_loop, six_slim, six_loop},        {seven_plain, seven_hook, seven_bar},
        {eight_flow, eight_rings, eight_flow}, {nine_straight, nine_curved, nine_straight},
    };
    return ways[digit][way];
}
