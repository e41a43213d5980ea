import os

import tensorflow as tf


class GPU:
    def __init__(self, mb=None):
        self.devices = tf.config.list_physical_devices("GPU")
        self.mb = mb

    def apply(self):
        for d in self.devices:
            if self.mb is None:
                tf.config.experimental.set_memory_growth(d, True)
            else:
                tf.config.set_logical_device_configuration(d, [tf.config.LogicalDeviceConfiguration(memory_limit=self.mb)])


if __name__ == "__main__":
    os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"
    GPU(3000).apply()
