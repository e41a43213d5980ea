"""MTF102/103: settings per branch."""
import argparse
import tensorflow as tf

ap = argparse.ArgumentParser()
ap.add_argument("--limit", type=int)
ap.add_argument("--growth", action="store_true")
a = ap.parse_args()
gpus = tf.config.list_physical_devices("GPU")
if a.growth:
    [tf.config.experimental.set_memory_growth(g, True) for g in gpus]
elif a.limit:
    tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=a.limit)])
    tf.config.set_visible_devices(gpus[:1], "GPU")
strategy = tf.distribute.MirroredStrategy() if len(gpus) > 1 else tf.distribute.get_strategy()
with strategy.scope():
    m = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    opt = tf.keras.optimizers.Adam()
    m.compile(opt, "mse")
print(tf.config.experimental.get_memory_info("GPU:0") if gpus else {})
