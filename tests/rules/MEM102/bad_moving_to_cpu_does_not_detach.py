# moving to the CPU does not detach

import torch

encoder = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(192, 32)).cuda()
encoder.eval()
features = {}
for idx, image in enumerate(torch.randn(100, 1, 3, 8, 8)):
    embedding = encoder(image.cuda())
    features[idx] = embedding.cpu()  #! MEM102 error
torch.save(features, "features.pt")
