# what a model gives for each batch is added to one tensor, also where a function was given the first
import tensorflow as tf

model = tf.keras.applications.ResNet50()


def scores(batches, count):
    found = model(next(batches))
    for _ in range(count):
        found = tf.concat([found, model(next(batches))], axis=0)  #! MTF112 warning
    return found


def more(found, dataset):
    for batch in dataset:
        found = tf.concat([found, model(batch)], axis=0)  #! MTF112 warning
    return found
