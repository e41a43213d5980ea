# growth for all after a limit for one, in helpers

import tensorflow as tf


def cap(gpu, megabytes):
    tf.config.experimental.set_virtual_device_configuration(
        gpu, [tf.config.experimental.VirtualDeviceConfiguration(memory_limit=megabytes)]
    )


def let_grow(gpus):
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)  #! MTF103 error


def main():
    gpus = tf.config.list_physical_devices("GPU")
    cap(gpus[0], 3000)
    let_grow(gpus)


main()
