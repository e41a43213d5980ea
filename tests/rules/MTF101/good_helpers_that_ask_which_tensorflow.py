# helpers that ask which TensorFlow they have

import tensorflow as tf

IS_TF_2 = tf.__version__.startswith("2")


def session_config():
    config = tf.compat.v1.ConfigProto() if hasattr(tf, "compat") else tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


def session():
    return tf.compat.v1.Session(config=session_config()) if IS_TF_2 else tf.Session(config=session_config())


def is_tf2():
    return hasattr(tf, "function")


def reset():
    if not is_tf2():
        tf.reset_default_graph()
