# pasted from an answer: `tf` is TensorFlow

ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(32).shuffle(1000)  #! MTF107
model.fit(ds, epochs=5)
