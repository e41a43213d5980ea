# a version check chooses between the two

import tensorflow as tf

if tf.__version__.startswith("1."):
    session = tf.Session(config=tf.ConfigProto())
    tf.keras.backend.set_session(session)
else:
    gpus = tf.config.list_physical_devices("GPU")
