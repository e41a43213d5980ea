# a class with methods of the same names is no Keras model

from keras.optimizers import Adam
from segments.unet import Unet

from data import batches

model = Unet(backbone="mobilenetv2", optimizer=Adam(1e-5))
model.fit_generator(batches(), epochs=5)

other = Unet(backbone="vgg")
other.compile("adam", lr=0.001, loss="mse")
other.fit_generator(batches(), epochs=5)
