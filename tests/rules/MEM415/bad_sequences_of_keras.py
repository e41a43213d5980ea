# A helper of Keras fills all rows of the data at once.

import torch
from tensorflow.keras.preprocessing.sequence import pad_sequences

rows = [[1, 2, 3], [4, 5], [6]]
data = torch.tensor(pad_sequences(rows, maxlen=300, padding="post"))  #! MEM415 advice
model = torch.nn.EmbeddingBag(100, 8)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(10):
    for batch in data.split(32):
        optimizer.zero_grad()
        model(batch).sum().backward()
        optimizer.step()
