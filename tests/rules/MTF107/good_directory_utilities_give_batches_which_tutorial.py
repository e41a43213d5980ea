# the directory utilities give batches, which a tutorial may cache and shuffle

import tensorflow as tf

train_ds = tf.keras.utils.image_dataset_from_directory("flowers", image_size=(180, 180), batch_size=32)
train_ds = train_ds.cache().shuffle(1000).prefetch(buffer_size=tf.data.AUTOTUNE)
