# hasattr asks first

import tensorflow as tf

if hasattr(tf, "ConfigProto"):
    config = tf.ConfigProto()
else:
    config = tf.compat.v1.ConfigProto()
