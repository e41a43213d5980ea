import argparse
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf


def config_gpu(idx, limit=None):
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        return
    tf.config.set_visible_devices(gpus[idx], "GPU")
    if limit:
        tf.config.set_logical_device_configuration(gpus[idx], [tf.config.LogicalDeviceConfiguration(memory_limit=limit)])
    else:
        tf.config.experimental.set_memory_growth(gpus[idx], True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--gpu", type=int, default=0)
    p.add_argument("--limit", type=int)
    a = p.parse_args()
    config_gpu(a.gpu, a.limit)
    x = tf.constant([1.0])
    print(x, tf.config.experimental.get_memory_info("GPU:0")["peak"])


main()
