# modules in which old Keras had its optimizers

from keras.layers import Dense
from keras.models import Sequential
from keras.optimizers import adam_v2  #! MTF101

model = Sequential([Dense(2)])
model.compile(optimizer=adam_v2.Adam(1e-3), loss="mse")
