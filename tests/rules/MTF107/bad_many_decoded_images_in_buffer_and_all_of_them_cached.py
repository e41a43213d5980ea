# many decoded images in the buffer, and all of them cached

import tensorflow as tf


def decode(path):
    return tf.image.decode_png(tf.io.read_file(path))


images = tf.data.Dataset.list_files("train/*.png").map(decode, num_parallel_calls=tf.data.AUTOTUNE)
images = images.shuffle(buffer_size=20000)  #! MTF107 warning
cached = images.cache()  #! MTF107 advice
batches = cached.batch(8).prefetch(1)
