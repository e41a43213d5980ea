import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
LIMIT = 4096


def half(memory_limit=LIMIT):
    tf.config.set_logical_device_configuration(
        gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=memory_limit)])


def cpus():
    tf.config.set_logical_device_configuration(
        tf.config.list_physical_devices("CPU")[0],
        [tf.config.LogicalDeviceConfiguration(), tf.config.LogicalDeviceConfiguration()])


def free():
    for i, _ in enumerate(gpus):
        print(tf.config.experimental.get_memory_info(f"GPU:{i}")["current"])


if __name__ == "__main__":
    half()
    cpus()
    free()
