#include "datasets/synth/walk_texture.h"

#include <stdlib.h>

static sb_texel mean4(sb_texel a, sb_texel b, sb_texel c, sb_texel d)
{
    sb_texel mean = 0;
    for (int shift = 0; shift < 32; shift += 8) {
        uint32_t sum = (a >> shift & 255) + (b >> shift & 255) + (c >> shift & 255) + (d >> shift & 255);
        mean |= (sum + 2) / 4 << shift;
    }
    return mean;
}

static void halve(const sb_texel *from, sb_texel *to, int w, int h)
{
    for (int x = 0; x < w; x++)
        for (int y = 0; y < h; y++) {
            const sb_texel *at = from + (size_t)(2 * x) * (size_t)(2 * h) + 2 * y;
            to[(size_t)x * (size_t)h + (size_t)y] = mean4(at[0], at[1], at[2 * h], at[2 * h + 1]);
        }
}

sb_status sb_texture_paint(sb_texture *texture, int log2_w, int log2_h, sb_painter *paint, uint32_t seed)
{
    *texture = (sb_texture){.log2_w = log2_w, .log2_h = log2_h};
    int smaller = log2_w < log2_h ? log2_w : log2_h;
    for (int level = 0; level <= smaller && level < SB_TEXTURE_MIPS; level++) {
        int w = 1 << (log2_w - level), h = 1 << (log2_h - level);
        sb_texel *mip = malloc((size_t)w * (size_t)h * sizeof *mip);
        if (!mip) {
            sb_texture_free(texture);
            return sb_fail(SB_E_MEMORY, "samebits-data synth: not enough memory for the textures");
        }
        texture->mip[texture->n_mips++] = mip;
        if (level > 0) {
            halve(texture->mip[level - 1], mip, w, h);
            continue;
        }
        for (int x = 0; x < w; x++)
            for (int y = 0; y < h; y++) mip[(size_t)x * (size_t)h + (size_t)y] = paint(seed, x, y);
    }
    return SB_OK;
}

void sb_texture_free(sb_texture *texture)
{
    for (int level = 0; level < texture->n_mips; level++) free(texture->mip[level]);
    *texture = (sb_texture){0};
}
