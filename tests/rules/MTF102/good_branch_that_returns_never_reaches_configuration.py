# a branch that returns never reaches the configuration

import sys

import tensorflow as tf


def main(check):
    if check:
        print(tf.constant([1.0]) + 1)
        return
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)


main("--check" in sys.argv)
