import tensorflow as tf

if tf.__version__.startswith("1."):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    sess = tf.Session(config=config)
else:
    for g in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(g, True)

try:
    from tensorflow.keras.mixed_precision import experimental as mp

    mp.set_policy("mixed_float16")
except ImportError:
    from tensorflow.keras import mixed_precision as mp

    mp.set_global_policy("mixed_float16")

tf1 = tf.compat.v1
s = tf1.Session(config=tf1.ConfigProto(allow_soft_placement=True))
