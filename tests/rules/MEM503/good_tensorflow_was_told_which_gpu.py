# TensorFlow was told which GPU it may see: the variable is only for the processes to come

import os

import tensorflow as tf


class Solver:
    def __init__(self, gpu):
        devices = tf.config.list_physical_devices("GPU")
        if not devices:
            tf.config.set_visible_devices([], "GPU")
        else:
            tf.config.experimental.set_visible_devices(devices[gpu], "GPU")
            os.environ["CUDA_VISIBLE_DEVICES"] = f"{gpu}"
            for device in devices:
                tf.config.experimental.set_memory_growth(device, True)


Solver(0)
