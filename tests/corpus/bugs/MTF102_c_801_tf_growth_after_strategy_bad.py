import argparse

import tensorflow as tf


class Setup:
    def __init__(self, args):
        self.args = args
        self.strategy = self._strategy()
        self._memory()

    def _strategy(self):
        return tf.distribute.MirroredStrategy()

    def _memory(self):
        for dev in tf.config.experimental.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(dev, True)  #! MTF102


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    Setup(parser.parse_args())
