# A function of another file moves the networks to the GPU, another one puts the weights into them.

from helpers import cuda, load_weights
from networks import Decoder, Encoder

encoder = cuda(Encoder(64))
decoder = cuda(Decoder(64))
weights = torch.load("encoder.pt")  #! MEM701
load_weights(encoder, weights)
state = torch.load(open("decoder.pt", "rb"))  #! MEM701
decoder.load_state_dict(state["decoder"])
