# another library builds the model, and the file compiles it as one of Keras

from keras.optimizers import Adam
from segments.unet import Unet

from data import batches

model = Unet(backbone="mobilenetv2", classes=1)
model.compile(optimizer=Adam(1e-5), loss="mse")
model.fit_generator(batches(), steps_per_epoch=10, epochs=5)  #! MTF101
