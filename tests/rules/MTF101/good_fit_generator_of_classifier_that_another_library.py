# fit_generator of a classifier that another library wraps around the model

import tensorflow as tf
from art.estimators.classification import TensorFlowV2Classifier

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
classifier = TensorFlowV2Classifier(model=model, nb_classes=10, input_shape=(28, 28))
classifier.fit_generator(iter([]), nb_epochs=3)
