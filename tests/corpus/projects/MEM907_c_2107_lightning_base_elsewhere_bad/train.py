import lightning as L
from mods import Classifier

L.Trainer(max_epochs=3, precision=16).fit(Classifier())  #! MEM907
