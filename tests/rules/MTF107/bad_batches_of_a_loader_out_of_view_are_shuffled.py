# no root in view, but only tf.data has padded batches, and maps with a number of parallel calls

import tensorflow as tf

from speech import load_speech, load_words


def speech(root, size):
    clips = load_speech(root).map(lambda text, mel: (text, mel))
    clips = clips.padded_batch(size, padded_shapes=([None], [None, 80]))
    return clips.shuffle(200)  #! MTF107 warning


def words(root, size, parse):
    found = load_words(root)
    found = found.map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(size)
    return found.shuffle(1000).prefetch(tf.data.AUTOTUNE)  #! MTF107 warning
