# a callback that asks for a member that is not there, by the name of the physical device

import tensorflow as tf


class Watch(tf.keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.gpu = tf.config.list_physical_devices("GPU")[0]

    def on_epoch_end(self, epoch, logs=None):
        info = tf.config.experimental.get_memory_info(self.gpu.name)  #! MTF102
        print(epoch, info["available"] / 2**30)  #! MTF102
