import tensorflow as tf

physical = tf.config.list_physical_devices("GPU")
try:
    tf.config.experimental.set_virtual_device_configuration(
        physical[0], [tf.config.experimental.VirtualDeviceConfiguration(memory_limit=3072)]
    )
except IndexError:
    print("no gpu")
