import tensorflow as tf
from tfkit import hw, data, nets, loops

hw.setup()
strategy = tf.distribute.MirroredStrategy()
tf.keras.mixed_precision.set_global_policy("mixed_float16")
with strategy.scope():
    model = nets.build(10)
    model.compile("adam", "sparse_categorical_crossentropy")
model.fit(data.train("*.tfrecord", 32 * strategy.num_replicas_in_sync), epochs=3)
print(loops.evaluate(model, data.train("v*.tfrecord", 32)))
