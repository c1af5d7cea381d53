/* The networks, declared once: what the trainer can open (net/models.h), and what a matrix file may name.
 *
 *     ROW(id, name, data, settings, summary)
 *
 * id        sb_ID_model_open opens it
 * data      VIDEO or IMAGES: what it learns from
 * settings  the keys of the settings that only some networks have, this one among them (core/setting.h), with \0
 *           between them
 */
#ifndef SB_CORE_MODELS_H
#define SB_CORE_MODELS_H

/* clang-format off */
#define SB_MODELS(ROW)                                                                                                 \
    ROW(prednet, "prednet", VIDEO, "window\0channels", "PredNet, a recurrent network that predicts the next frame")    \
    ROW(autoencoder, "autoencoder", IMAGES, "batch\0hidden", "inputs - hidden - inputs, rebuilds its input")
/* clang-format on */

/* "prednet|autoencoder": the words of the option and of the matrix key. */
#define SB_MODEL_WORD(id, name, data, settings, summary) "|" name
#define SB_MODEL_WORDS (&(SB_MODELS(SB_MODEL_WORD))[1])

#endif
