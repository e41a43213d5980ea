import tensorflow as tf


def setup():
    gpus = tf.config.list_physical_devices("GPU")
    logical = tf.config.list_logical_devices("GPU")
    print(len(gpus), len(logical))
    for g in gpus:
        tf.config.experimental.set_memory_growth(g, True)  #! MTF102 #! MTF103


def limit():
    gpus = tf.config.experimental.list_physical_devices("GPU")
    if gpus:
        tf.config.experimental.set_virtual_device_configuration(  #! MTF102
            gpus[0], [tf.config.experimental.VirtualDeviceConfiguration(memory_limit=0.5)]  #! MTF102
        )


def info():
    for g in tf.config.list_physical_devices("GPU"):
        print(tf.config.experimental.get_memory_info(g)["current"])  #! MTF102


if __name__ == "__main__":
    setup()
    limit()
    info()
