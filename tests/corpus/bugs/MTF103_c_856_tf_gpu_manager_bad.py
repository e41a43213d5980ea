import tensorflow as tf


class GPUManager:
    def __init__(self, limit):
        self.gpus = tf.config.experimental.list_physical_devices("GPU")
        self.limit = limit

    def allow_growth(self):
        for gpu in self.gpus:
            tf.config.experimental.set_memory_growth(gpu, True)  #! MTF103

    def cap(self):
        for gpu in self.gpus:
            tf.config.experimental.set_virtual_device_configuration(  #= MTF103
                gpu, [tf.config.experimental.VirtualDeviceConfiguration(memory_limit=self.limit)]
            )


m = GPUManager(1024)
m.allow_growth()
m.cap()
