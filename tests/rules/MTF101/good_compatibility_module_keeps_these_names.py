# the compatibility module keeps these names

import tensorflow.compat.v1 as tf
from tensorflow.compat.v1.keras.backend import set_session

tf.disable_v2_behavior()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
set_session(tf.Session(config=config))
x = tf.placeholder(tf.float32, [None, 3])
