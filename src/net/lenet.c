/* LeNet: two 5x5 convolutions without padding, each with relu and a 2x2 pool, and two dense layers. */
#include "net/models.h"
#include "net/sequential/sequential_models.h"

#include <stdio.h>

sb_status sb_lenet_list(sb_layer_list *list, const sb_settings *settings, const sb_data_shape *data)
{
    const sb_list *widths = &settings->widths;
    char line[SB_LAYER_TEXT];
    if (widths->n != 3)
        return sb_fail(SB_E_USAGE,
                       "lenet: --widths wants three numbers, of its two convolutions and its first dense "
                       "layer, not %d",
                       widths->n);
    *list = sb_layer_list_of("lenet", settings, data);
    snprintf(line, sizeof line,
             "conv-%d-5-valid-bias_relu_pool-2_conv-%d-5-valid-bias_relu_pool-2_dense-%d_relu_dense-classes",
             widths->item[0], widths->item[1], widths->item[2]);
    return sb_layer_list_read(list, line);
}
