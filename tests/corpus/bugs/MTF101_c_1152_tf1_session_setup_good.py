import tensorflow as tf
import tensorflow.compat.v1 as tf1
from tensorflow.compat.v1.keras import backend as K

if tf.__version__.startswith("1."):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    sess = tf.Session(config=config)
else:
    config = tf.compat.v1.ConfigProto()
    config.gpu_options.allow_growth = True
    sess = tf.compat.v1.Session(config=config)
K.set_session(sess)
tf1.disable_eager_execution()
x = tf1.placeholder(tf.float32, [None, 10])


class Model:
    def fit_generator(self, gen):
        return list(gen)


Model().fit_generator([1])
