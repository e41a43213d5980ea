import tensorflow as tf
from steps import train_step

tf.keras.mixed_precision.set_global_policy("mixed_float16")
m = tf.keras.Sequential([tf.keras.layers.Dense(1, dtype="float32")])
opt = tf.keras.optimizers.SGD(0.1)
for x in tf.data.TFRecordDataset("x").batch(3).prefetch(1):
    train_step(m, opt, x, x)  #! MTF114
