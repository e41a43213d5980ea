"""Configuration in a class method after a tensor; limits in the wrong unit; device names."""
import tensorflow as tf


class Session:
    def __init__(self, seed):
        self.noise = tf.random.normal((1, 128))
        self.gpus = tf.config.list_physical_devices("GPU")
        for gpu in self.gpus:
            tf.config.experimental.set_memory_growth(gpu, True)  #! MTF102

    def usage(self):
        return [tf.config.experimental.get_memory_info(g)["current"] for g in self.gpus]  #! MTF102


def hide(keep):
    x = tf.Variable(0.0)
    tf.config.set_visible_devices(keep, "GPU")  #! MTF102
    return x


def half():
    gpu = tf.config.list_physical_devices("GPU")[0]
    tf.config.experimental.set_virtual_device_configuration(
        gpu, [tf.config.experimental.VirtualDeviceConfiguration(memory_limit=0.4)])  #! MTF102
