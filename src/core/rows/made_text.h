/* The text that needs no file: with --data 'synth text' it is made in memory (io/dataset.h). It has the tokens of the file
 * that 'samebits-data synth text' writes by default. */
#pragma once

#define SB_MADE_TEXT            "synth text"
#define SB_MADE_TEXT_SEED       1
#define SB_MADE_TEXT_CHARACTERS 200000
