"""Half of a GPU for this job: what people try."""
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")


def half():
    tf.config.set_logical_device_configuration(
        gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=0.5)])  #! MTF102


def named():
    tf.config.experimental.set_virtual_device_configuration(
        gpus[0], [tf.config.experimental.VirtualDeviceConfiguration(memory_fraction=0.5)])  #! MTF102


def free():
    for gpu in gpus:
        info = tf.config.experimental.get_memory_info(gpu.name)  #! MTF102
        print(info["current"])


if __name__ == "__main__":
    half()
    free()
