# an object that is unpickled has not run its constructor before `__setstate__` does

import tensorflow as tf


class Model:
    def __init__(self, config, grows=True):
        self.config = config
        gpus = tf.config.experimental.list_physical_devices("GPU")
        if gpus:
            tf.config.experimental.set_visible_devices(gpus[0], "GPU")
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, grows)
        print(len(tf.config.experimental.list_logical_devices("GPU")))

    def __setstate__(self, state):
        self.__init__(state["config"])
