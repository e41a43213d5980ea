# too late, and nobody hears of it

import tensorflow as tf

seed = tf.Variable(1)
try:
    tf.config.set_visible_devices([], "GPU")  #! MTF102 advice
except RuntimeError as error:
    print(error)
